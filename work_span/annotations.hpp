// What programs with a scheduler or synchronisation of their own say through
// <valgrind/cilkshadow.h>: tasks, what orders threads, and what is the scheduler's own work.
//
// A task is a thread of the engine from its creation on; whoever runs it is that thread from its
// begin to its end.
#pragma once

#include "base/valgrind.hpp"
#include "work_span/state/state.hpp"

namespace annotations {

Bool handle(ThreadId tid, UWord* arguments, UWord* result); // a client request

// The frame on top returns, or the thread ends: tasks begun in it end.
void before_return(shadow::Thread& thread);
void before_end(shadow::Thread& thread);

} // namespace annotations
