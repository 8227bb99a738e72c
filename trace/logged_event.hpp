// What translated code writes down of an event (trace/event_log.hpp). Knows nothing of Valgrind.
#pragma once

#include "base/types.hpp"

namespace event_log {

enum class Kind : u8 {
  call,
  spawn_call, // after a marker that begins a spawn, in its block
  return_,
  marker,
  call_indirect,
  call_stub,
  stub_jump,
  jump_within, // a routine
  jump_to_entry,
  sync_return, // after a sync's marker, in its block
};

struct Event {
  u64 what;     // kind, point, and the routine that is called where only the event tells
  GuestAddr sp; // after the instruction
  u64 time;
  GuestAddr target; // of returns, and of a jump within a routine

  static constexpr unsigned kKindBits = 5;
  u32 kind_and_point() const { return static_cast<u32>(what); }
  u32 point() const { return kind_and_point() >> kKindBits; }
  Kind kind() const { return static_cast<Kind>(what % (1 << kKindBits)); }
  bool is_return() const { return kind() == Kind::return_ || kind() == Kind::sync_return; }
  RoutineId routine() const { return RoutineId{static_cast<u32>(what >> 32)}; }
  static u64 what_of(u32 kind_and_point, RoutineId routine) {
    return kind_and_point | u64{static_cast<u32>(routine)} << 32;
  }
};

// How far events have been told.
struct Told {
  const Event* until;
  bool waits = false; // what is next, with what follows, for what comes then; but half of all may
};

} // namespace event_log
