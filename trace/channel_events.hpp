// Bytes that threads of the program hand to each other through the kernel - by pipes, eventfd(2)
// and socketpair(2) - for tools that want to know who waits for whom.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"

namespace channel_events {

// Called around each, in the thread that calls it, once there are several. `channel` is a number
// that both ends have and no address is.
void listen(void (*before_sending)(u64 channel), void (*after_receiving)(u64 channel));

// What the core tells of every system call.
void before_system_call(ThreadId tid, UInt number, const UWord* arguments);
void after_system_call(ThreadId tid, UInt number, const UWord* arguments, SysRes result);

} // namespace channel_events
