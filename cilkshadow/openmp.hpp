// OpenMP programs of gcc: the entry points of libgomp.
//
// A parallel region forks from the thread that meets it, and ends in it; each thread of its team is
// a piece that begins at the fork. A task runs at once, within the call that creates it (its if
// clause is made false), as a piece of its own that forks there: it joins at the taskwait, at the
// end of the taskgroup or at the barrier that waits for it. Chunks of loops with a dynamic schedule
// are iterations of a parallel loop. Loops with a static schedule are divided by the program
// itself: they have as much parallelism as the team has threads.
#pragma once

#include "cilkshadow/hooks.hpp"

namespace openmp {

extern const shadow::Hooked hooks[]; // up to one without a name

// The run-time library is about to call `routine` of the program. If a piece of its own begins
// there, it is the thread's from now on, until piece_ends.
bool piece_begins(shadow::Logical& thread, RoutineId routine);
void piece_ends(shadow::Logical& thread);

u64 largest_team(); // 0: there were no parallel regions

} // namespace openmp
