// Applies hooks: finds the hook of a routine, and handles the calls of routines that have one. The
// hooks themselves are in order/ and in the files of each run-time library.
//
// A hooked call is in its thread's list from entry to return. Finding a routine's hook costs a
// comparison with the name of every hook; RoutineClassTable caches the result.
#pragma once

#include "trace/routines.hpp"
#include "work_span/state/hooked_call.hpp"
#include "work_span/state/shadow_thread.hpp"

namespace shadow {

const Hook* hook_of(const Routine& routine); // null: none
bool is_of_c_library(const Routine& routine);
// The C library's own calls use names such as __pthread_mutex_lock and __new_sem_post.
const char* without_prefixes(const char* name);

// A routine with a hook was called; the thread's latest hooked call returns.
void hook_entered(Thread& thread, const Hook& hook, RoutineId routine);
void hook_returns(Thread& thread);
// A run-time library is about to call `routine` of the program. Returns true if a task begins
// there, which the thread runs until tasks::end_current.
bool task_begins(Thread& thread, RoutineId routine);

void forget_hooks(Thread& thread); // its calls will not return
void forget_totals();              // of all run-time libraries, in a forked child

} // namespace shadow
