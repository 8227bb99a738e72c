// The names that threads give themselves and each other (ClientThread::name): prctl(PR_SET_NAME),
// and what pthread_setname_np writes to a file of /proc.
#pragma once

#include "base/valgrind.hpp"

namespace thread_names {

void listen();

// From system_calls.cpp.
void after_system_call(ThreadId tid, UInt number, const UWord* arguments, SysRes result);

} // namespace thread_names
