// Numbers with a meaning have a type of their own; the units are the ones of docs/glossary.md.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;
using u128 = unsigned __int128;

// An address in the client program.
using GuestAddr = std::uintptr_t;

// Number of a routine in a RoutineTable, from 1; `stub` stands for a procedure linkage stub, which
// is on the way to a routine but none itself.
enum class RoutineId : u32 { none = 0, stub = ~u32{0} };

// Number of a thread of the client, from 1 in order of creation, never reused (Valgrind's own
// ThreadId is); 0 is no thread.
enum class ThreadIndex : u32 { none = 0 };

constexpr u32 index(RoutineId id) { return static_cast<u32>(id); }
constexpr u32 index(ThreadIndex id) { return static_cast<u32>(id); }

// The events whose executions are a routine's cost.
enum class CostEvent : u8 { basic_blocks, instructions };
inline constexpr unsigned kCostEvents = 2;

// One count per cost event.
struct Costs {
  u64 of[kCostEvents]{};

  constexpr Costs& operator+=(const Costs& other) {
    for (unsigned event = 0; event < kCostEvents; event++)
      of[event] += other.of[event];
    return *this;
  }
  constexpr Costs& operator-=(const Costs& other) {
    for (unsigned event = 0; event < kCostEvents; event++)
      of[event] -= other.of[event];
    return *this;
  }
  friend constexpr Costs operator+(Costs a, const Costs& b) { return a += b; }
  friend constexpr Costs operator-(Costs a, const Costs& b) { return a -= b; }
  constexpr bool operator==(const Costs&) const = default;
};
