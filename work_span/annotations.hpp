// The requests of <valgrind/cilkshadow.h>, by which programs with a scheduler or synchronisation of
// their own announce tasks, what orders threads, and what is the scheduler's own work. Keeps no
// state: the requests are passed on to runtimes/annotated_tasks.hpp, order/ and the shadow.
#pragma once

#include "base/valgrind.hpp"

namespace annotations {

// Handles a client request; False: it is none of these.
Bool handle(ThreadId tid, UWord* arguments, UWord* result);

} // namespace annotations
