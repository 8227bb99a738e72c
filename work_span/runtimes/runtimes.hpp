// The run-time libraries that hooks understand, besides the C library (thread_edges.hpp).
#pragma once

#include "work_span/hooks.hpp"

// Each up to one without a name.
namespace openmp {
extern const shadow::Hooked hooks[]; // what all libraries of it have
// Calls that order what the span does not know to be ordered, and tasks.
void count_not_understood();
u64 not_understood();
void forget_totals();
} // namespace openmp
namespace libgomp {
extern const shadow::Hooked hooks[];
}
namespace libomp {
extern const shadow::Hooked hooks[];
bool is_of_library(const shadow::Hook& hook);
// libomp is about to call `routine` of the program. True if a task begins there that was created
// before.
bool task_begins(shadow::Logical& thread, RoutineId routine);
} // namespace libomp
namespace onetbb {
extern const shadow::Hooked hooks[];
}
