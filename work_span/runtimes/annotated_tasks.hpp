// Tasks that the program announces by <valgrind/cilkshadow.h>, identified by their addresses.
//
// A task is a thread of the engine from its creation on; whoever runs it is that thread from its
// beginning to its end.
#pragma once

#include "base/types.hpp"

namespace shadow {
struct Thread;
}

namespace annotated_tasks {

void create(shadow::Thread& thread, GuestAddr address);
void begin(shadow::Thread& thread, GuestAddr address);
void end(shadow::Thread& thread, GuestAddr address);
void wait_for(shadow::Thread& thread, GuestAddr address);

// The top frame returns, or the thread ends: tasks that began in it end.
void before_return(shadow::Thread& thread);
void before_end(shadow::Thread& thread);

} // namespace annotated_tasks
