// The run-time libraries that hooks understand, besides the C library (thread_edges.hpp).
#pragma once

#include "work_span/state/hook.hpp"

// Each up to one without a name.
namespace openmp {
extern const shadow::Hook hooks[]; // what all libraries of it have
// Calls that order what the span does not know to be ordered, and tasks.
void count_not_understood();
u64 not_understood();
void forget_totals();
} // namespace openmp
namespace libgomp {
extern const shadow::Hook hooks[];
}
namespace libomp {
extern const shadow::Hook hooks[];
bool is_of_library(const shadow::HookedCall& call);
// libomp is about to call `routine` of the program. True if a task begins there that was created
// before.
bool task_begins(shadow::Thread& thread, RoutineId routine);
} // namespace libomp
namespace onetbb {
extern const shadow::Hook hooks[];
}
