// A hook: what the shadow does when the program calls a routine of a run-time library, which it
// knows by name.
#pragma once

#include "base/types.hpp"

#include <cstddef>

namespace shadow {

struct Hook;
struct Thread;

// An invocation of a routine that has a hook, from call to return.
struct HookedCall {
  const Hook& hook;
  RoutineId routine;
  std::size_t depth; // of its frame
  RoutineId caller;  // the program's
  u64 arguments[6];
  void* kept = nullptr; // by one of the hook's functions for another
  bool left = false;    // by a jump: cancelled, so that it has no result
};

struct Hook {
  const char* routine; // a pattern, without leading underscores
  void (*on_entry)(HookedCall& call);
  void (*on_return)(HookedCall& call);
  // It calls `routine` of the program. True if that is a task's body, and the task has begun.
  bool (*calls_back)(HookedCall& call, Thread& thread, RoutineId routine) = nullptr;
  bool needs_lines = false; // of the source
};

} // namespace shadow
