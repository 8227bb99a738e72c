// The format of a logged event, which translated code writes (trace/event_log.hpp), and the sink's
// answer to a batch of events. Independent of Valgrind.
#pragma once

#include "base/types.hpp"

namespace event_log {

enum class Kind : u8 {
  call,
  spawn_call, // a call in the block of a marker that begins a spawn
  return_,
  marker,
  call_indirect,
  call_stub,
  stub_jump,
  in_loop,
  jump_to_entry,
  sync_return, // a return in the block of a sync's marker
  jump_to_stub,
  jump_within, // within a routine
};

//   bits of `what`   contents
//    0..4            the kind
//    5..31           the number of the log site
//   32..63           the called routine, if only the event knows it; otherwise 0
struct Event {
  u64 what;
  GuestAddr sp; // after the instruction
  u64 time;
  GuestAddr target; // of returns, and of jumps within a routine

  static constexpr unsigned kKindBits = 5;
  u32 kind_and_site() const { return static_cast<u32>(what); }
  u32 log_site() const { return kind_and_site() >> kKindBits; }
  Kind kind() const { return static_cast<Kind>(what % (1 << kKindBits)); }
  bool is_return() const { return kind() == Kind::return_ || kind() == Kind::sync_return; }
  RoutineId routine() const { return RoutineId{static_cast<u32>(what >> 32)}; }
  static u64 what_of(u32 kind_and_site, RoutineId routine) {
    return kind_and_site | u64{static_cast<u32>(routine)} << 32;
  }
};

// How much of a batch the sink has processed.
struct Taken {
  const Event* until;
  bool rest_waits = false; // until later events are there; at most half of a full log
};

} // namespace event_log
