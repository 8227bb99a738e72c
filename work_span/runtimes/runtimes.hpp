// The run-time libraries of OpenMP and oneTBB: the hooks of each, and what they ask of each other.
// The C library is in order/.
#pragma once

#include "work_span/state/hooked_call.hpp"

namespace openmp {                 // what all libraries of OpenMP have
extern const shadow::Hook hooks[]; // as all of these, up to one without a name
// Counts a call that orders or creates something which the span does not have.
void count_not_understood();
u64 not_understood();
void forget_totals();
} // namespace openmp

namespace libgomp {
extern const shadow::Hook hooks[];
}

namespace libomp {
extern const shadow::Hook hooks[];
extern const shadow::Hook task_hooks[];
bool is_of_library(const shadow::HookedCall& call);
// libomp is about to call `routine` of the program. True if a task begins there that was created
// before.
bool task_begins(shadow::Thread& thread, RoutineId routine);
} // namespace libomp

namespace onetbb {
extern const shadow::Hook hooks[];
}
