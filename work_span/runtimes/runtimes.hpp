// The run-time libraries of OpenMP and oneTBB: the hooks of each, and the functions that they
// share. The hooks of the C library are in order/.
#pragma once

#include "work_span/dag/strands.hpp"
#include "work_span/runtimes/control_variables.hpp"
#include "work_span/state/hooked_call.hpp"

namespace tasks {
struct Task;
}

namespace openmp {                 // common to all OpenMP libraries
extern const shadow::Hook hooks[]; // each table ends with an entry without a name
// A detached task has this event. Later, who fulfils it is seen.
void detached(GuestAddr event, tasks::Task& task);
bool is_event_awaited(); // of a task that others depend on
// Counts a call that orders or creates something that is not in the span.
void count_not_understood();
// Finds how a loop that the current task meets is divided; `unset` is schedule(runtime). Returns
// false if it is unknown.
struct LoopSchedule {
  Schedule schedule = Schedule::by_number;
  u32 chunk = 0;
};
bool find_schedule(RunSchedule of, bool of_libomp, LoopSchedule& found);
// A thread has met a loop with ordered sections. Those whose chunks depend on the number of threads
// are counted.
void meet_ordered(LoopKind kind, bool of_libomp);
u64 not_understood();
u64 ordered_loops_as_taken();
void forget_totals();
} // namespace openmp

namespace libgomp {
extern const shadow::Hook hooks[];
extern const shadow::Hook task_hooks[];
bool task_begins(shadow::Thread& thread, RoutineId routine); // a detached one, as below
} // namespace libgomp

namespace libomp {
extern const shadow::Hook hooks[];
extern const shadow::Hook task_hooks[];
bool is_of_library(const shadow::HookedCall& call);
// libomp is about to call `routine` of the program. Returns true if a task that was created before
// begins there.
bool task_begins(shadow::Thread& thread, RoutineId routine);
} // namespace libomp

namespace onetbb {
extern const shadow::Hook hooks[];
extern const shadow::Hook pipeline_hooks[];
extern const shadow::Hook queue_hooks[];
} // namespace onetbb
