// What threads of the program hand to each other through the kernel - bytes by pipes, eventfd(2)
// and socketpair(2), and their ends, and signals - for tools that want to know who waits for whom.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"

namespace channel_events {

// Called around each, in the thread that calls it, once there are several. `channel` is a number
// that both ends have and no address is; when it is `closed`, another may have it.
void listen(void (*before_sending)(u64 channel), void (*after_receiving)(u64 channel),
            void (*closed)(u64 channel));

// A handler is about to run.
void signal_delivered(ThreadId tid, Int number);

// From system_calls.cpp.
void before_system_call(ThreadId tid, UInt number, const UWord* arguments);
void after_system_call(ThreadId tid, UInt number, const UWord* arguments, SysRes result);

} // namespace channel_events
