// Tracks the names that threads give themselves and each other (ClientThread::name), by
// prctl(PR_SET_NAME) and by pthread_setname_np, which writes to a file in /proc.
#pragma once

#include "base/valgrind.hpp"

namespace thread_names {

void listen();

// Called by system_calls.cpp.
void after_system_call(ThreadId tid, UInt number, const UWord* arguments, SysRes result);

} // namespace thread_names
