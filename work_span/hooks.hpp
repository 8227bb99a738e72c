// Routines of run-time libraries that the shadow acts on, known by name.
#pragma once

#include "work_span/shadow.hpp"

namespace shadow {

struct Hooked;

// An invocation of one.
struct Hook {
  const Hooked& what;
  RoutineId routine;
  std::size_t depth; // of its frame
  RoutineId caller;  // the program's
  u64 arguments[6];
  void* kept = nullptr; // by one of its functions for another
  bool left = false;    // by a jump: cancelled, so that it has no result
};

struct Hooked {
  const char* routine; // a pattern, without leading underscores
  void (*entered)(Hook& hook);
  void (*on_return)(Hook& hook);
  // It calls `routine` of the program. True if that is a task's body, and the task has begun.
  bool (*calls_back)(Hook& hook, Logical& thread, RoutineId routine) = nullptr;
  bool needs_lines = false; // of the source
};

const Hooked* hooked(const Routine& routine); // null: none
bool is_of_c_library(const Routine& routine);
Hook* hook_in_charge(const Logical& thread); // of the library code that the thread is in
void hook_entered(Logical& thread, const Hooked& what, RoutineId routine);
void hook_returns(Logical& thread);
// A run-time library is about to call `routine` of the program. True if a task begins there, of
// which the thread is until tasks::end_current.
bool task_begins(Logical& thread, RoutineId routine);
void forget_hooks(Logical& thread);
void forget_totals(); // of all run-time libraries: a forked child has seen nothing of them

} // namespace shadow
