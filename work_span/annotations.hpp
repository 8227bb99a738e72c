// What programs with a scheduler or synchronisation of their own say through
// <valgrind/cilkshadow.h>: tasks, what orders threads, and what is the scheduler's own work.
#pragma once

#include "base/valgrind.hpp"

namespace annotations {

Bool handle(ThreadId tid, UWord* arguments, UWord* result); // a client request

} // namespace annotations
