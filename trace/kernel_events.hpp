// Raises kernelRead and kernelWrite: for what system calls read and write of the client's memory,
// as the core's wrappers report it (corrected where they are known to overstate it), and for what
// the kernel writes when it delivers a signal. Also reports memory that is mapped, unmapped, moved
// or dropped.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"

namespace kernel_events {

void listen(); // call before the core has read its options

// Called by system_calls.cpp.
void before_system_call(ThreadId tid, UInt number, const UWord* arguments);
void after_system_call(ThreadId tid, UInt number, const UWord* arguments, SysRes result);

u64 io_urings(); // number that was set up

} // namespace kernel_events
