// futex(2), and system calls that give way to other threads, for tools that want to know who waits
// for whom below the C library.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"

namespace futex_events {

// Called around each, in the thread that calls it: the word's address, the operation, and whether
// it succeeded.
void listen(void (*before)(GuestAddr word, u64 operation),
            void (*after)(GuestAddr word, u64 operation, bool succeeded),
            void (*gives_way)(bool sleeps)); // if not, it yields

// From system_calls.cpp.
void before_system_call(ThreadId tid, UInt number, const UWord* arguments);
void after_system_call(ThreadId tid, UInt number, const UWord* arguments, SysRes result);

} // namespace futex_events
