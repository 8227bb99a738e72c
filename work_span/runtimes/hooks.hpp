// The hooks of all run-time libraries, and the calls of routines that have one.
#pragma once

#include "trace/routines.hpp"
#include "work_span/state/hook.hpp"
#include "work_span/state/thread.hpp"

namespace shadow {

const Hook* hook_of(const Routine& routine); // null: none
bool is_of_c_library(const Routine& routine);
HookedCall* hook_in_charge(const Thread& thread); // of the library code that the thread is in
void hook_entered(Thread& thread, const Hook& hook, RoutineId routine);
void hook_returns(Thread& thread);
// A run-time library is about to call `routine` of the program. True if a task begins there, of
// which the thread is until tasks::end_current.
bool task_begins(Thread& thread, RoutineId routine);
void forget_hooks(Thread& thread);
void forget_totals(); // of all run-time libraries: a forked child has seen nothing of them

} // namespace shadow
