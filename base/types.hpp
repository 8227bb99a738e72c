// Numbers with a meaning have a type of their own. docs/glossary.md defines the units.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
using u128 = unsigned __int128;

// An address in the client.
using GuestAddr = std::uintptr_t;

// Number of a routine in a RoutineTable, starting at 1. `stub` stands for a procedure linkage stub,
// which leads to a routine but is none itself.
enum class RoutineId : u32 { none = 0, stub = ~u32{0} };

// Number of a client thread, in order of creation, starting at 1; 0 is no thread. Unlike Valgrind's
// ThreadId it is never reused.
enum class ThreadIndex : u32 { none = 0 };

constexpr u32 index(RoutineId id) { return static_cast<u32>(id); }
constexpr u32 index(ThreadIndex id) { return static_cast<u32>(id); }

// The units in which the cost of a routine is measured. Translated code counts the first two; the
// work-span engine measures the other two.
enum class CostEvent : u8 { basic_blocks, instructions, work, span };
inline constexpr unsigned kCountedEvents = 2;
inline constexpr unsigned kCostEvents = 4;

// One number per cost event.
template <unsigned kEvents> struct CostsOf {
  u64 of[kEvents]{};

  constexpr CostsOf() = default;
  constexpr CostsOf(u64 basic_blocks, u64 instructions) : of{basic_blocks, instructions} {}
  // Copies the numbers one by one, as they were stored: a wider load would have to wait for all of
  // the stores.
  constexpr CostsOf(const CostsOf& other) { *this = other; }
  constexpr CostsOf& operator=(const CostsOf& other) {
    for (unsigned event = 0; event < kEvents; event++)
      of[event] = other.of[event];
    return *this;
  }
  constexpr CostsOf& operator+=(const CostsOf& other) {
    for (unsigned event = 0; event < kEvents; event++)
      of[event] += other.of[event];
    return *this;
  }
  constexpr CostsOf& operator-=(const CostsOf& other) {
    for (unsigned event = 0; event < kEvents; event++)
      of[event] -= other.of[event];
    return *this;
  }
  friend constexpr CostsOf operator+(CostsOf a, const CostsOf& b) { return a += b; }
  friend constexpr CostsOf operator-(CostsOf a, const CostsOf& b) { return a -= b; }
  constexpr bool operator==(const CostsOf&) const = default;

  constexpr u64& operator[](CostEvent event) { return of[static_cast<unsigned>(event)]; }
  constexpr u64 operator[](CostEvent event) const { return of[static_cast<unsigned>(event)]; }
};

using Costs = CostsOf<kCountedEvents>; // as counted by a clock
using AllCosts = CostsOf<kCostEvents>; // of an activation

constexpr AllCosts without_work_span(const Costs& counted) {
  return {counted.of[0], counted.of[1]};
}
