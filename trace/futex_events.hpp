// Reports futex(2), and system calls that yield to other threads, for tools that need to know who
// waits for whom below the C library.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"

namespace futex_events {

// The callbacks run before and after each such call, in the thread that makes it. They get the
// address of the futex word, the operation, and whether it succeeded.
void listen(void (*before)(GuestAddr word, u64 operation),
            void (*after)(GuestAddr word, u64 operation, bool succeeded),
            void (*gives_way)(bool sleeps)); // otherwise the thread yields

// Called by system_calls.cpp.
void before_system_call(ThreadId tid, UInt number, const UWord* arguments);
void after_system_call(ThreadId tid, UInt number, const UWord* arguments, SysRes result);

} // namespace futex_events
