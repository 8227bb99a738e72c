// Handles the requests of <valgrind/cilkshadow.h>, by which programs with their own scheduler or
// synchronisation announce tasks, orders between threads, and what is the scheduler's own work.
// Stateless: passes the requests on to runtimes/annotated_tasks.hpp, order/ and the shadow.
#pragma once

#include "base/valgrind.hpp"

namespace annotations {

// Handles a client request. Returns False if it is none of these.
Bool handle(ThreadId tid, UWord* arguments, UWord* result);

} // namespace annotations
