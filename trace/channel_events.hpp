// Reports what threads of the client send to each other through the kernel, for tools that need to
// know who waits for whom: bytes and end-of-file on pipes, eventfd(2) and socketpair(2), message
// queues of POSIX and System V, the latter's semaphores, and signals.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"

namespace channel_events {

// The callbacks run before sending and after receiving, in the thread that makes the system call,
// once there are several threads. `channel` is a number that both ends share and that is never an
// address; after `closed` it may be reused.
void listen(void (*before_sending)(u64 channel), void (*after_receiving)(u64 channel),
            void (*closed)(u64 channel));

// A signal handler is about to run.
void signal_delivered(ThreadId tid, Int number);

// Called by system_calls.cpp.
void before_system_call(ThreadId tid, UInt number, const UWord* arguments);
void after_system_call(ThreadId tid, UInt number, const UWord* arguments, SysRes result);

} // namespace channel_events
