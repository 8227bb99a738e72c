// Hooks: what the shadow does when the program calls a routine of a run-time library, which is
// recognised by name.
#pragma once

#include "base/types.hpp"

#include <cstddef>

namespace shadow {

struct Hook;
struct Thread;

// A call of a routine that has a hook, until it returns.
struct HookedCall {
  const Hook& hook;
  RoutineId routine;
  std::size_t depth;    // of its frame
  RoutineId caller;     // the program's routine
  GuestAddr returns_to; // return address; 0: a tail call
  u64 arguments[6];
  void* kept = nullptr; // passed from one of the hook's functions to another
  bool left = false;    // by a jump: the call was cancelled and has no result
};

// Each of the functions may be null.
struct Hook {
  const char* routine; // a pattern of its name, without leading underscores
  void (*on_entry)(HookedCall& call);
  void (*on_return)(HookedCall& call);
  // The library calls `routine` of the program. Returns true if that is a task's body, and the task
  // has begun.
  bool (*calls_back)(HookedCall& call, Thread& thread, RoutineId routine) = nullptr;
  bool needs_lines = false; // applies only to routines with source lines
};

} // namespace shadow
