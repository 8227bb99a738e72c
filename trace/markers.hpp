// Markers: the instructions by which cilk/cilk.h makes Cilk constructs visible to the tools. Each
// is one no-op, `nopl disp32(%rax,%rax,1)`, whose displacement says what it marks. This file and
// that header must agree.
#pragma once

#include "base/types.hpp"

#include <optional>

// Binary interface between compiled programs and the tools: the numbers must not change.
enum class Marker : u32 {
  spawn_begin = 1, // C++: until spawn_end, one spawned call and the evaluation of its arguments
  spawn_end,
  spawn, // C: the last call in this line is spawned
  sync,
  scope_begin,
  scope_end,
  for_begin,
  for_iteration, // an iteration begins; the one before ends
  for_end,
};

// The kind of marker that the instruction is, possibly one of a later version; none if it is no
// marker.
inline std::optional<u32> marker_at(GuestAddr instruction, std::size_t bytes) {
  constexpr u8 kOpcode[] = {0x0F, 0x1F, 0x84, 0x00};
  constexpr u32 kMagic = 0x5C1B;
  if (bytes != sizeof kOpcode + sizeof(u32))
    return std::nullopt;
  const auto* code = reinterpret_cast<const u8*>(instruction);
  for (std::size_t i = 0; i < sizeof kOpcode; i++)
    if (code[i] != kOpcode[i])
      return std::nullopt;
  u32 displacement = 0;
  for (unsigned i = 0; i < sizeof displacement; i++)
    displacement |= u32{code[sizeof kOpcode + i]} << 8 * i;
  if (displacement >> 16 != kMagic)
    return std::nullopt;
  return displacement & 0xFFFF;
}

constexpr bool begins_spawn(u32 kind) {
  return Marker{kind} == Marker::spawn || Marker{kind} == Marker::spawn_begin;
}

constexpr bool is_of_loop(u32 kind) {
  return Marker::for_begin <= Marker{kind} && Marker{kind} <= Marker::for_end;
}

// A marker's kind and, in the upper half, its distance in instructions.
constexpr u64 kind_and_since(u32 kind, u64 since) { return since << 32 | kind; }
constexpr u32 marker_kind(u64 kind_and_since) { return static_cast<u32>(kind_and_since); }
constexpr u32 marker_since(u64 kind_and_since) { return static_cast<u32>(kind_and_since >> 32); }

// Called by translated code at a marker or after it. `location` is what sink::marker_location
// returned for the marker.
extern "C" void event_marker(u64 kind_and_since, u64 location);
