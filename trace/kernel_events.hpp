// kernelRead and kernelWrite: what system calls read and write of the client's memory, as the
// core's own wrappers report it for every system call (less where they are known to overstate it),
// what a signal's delivery writes for its handler, and memory that is mapped, unmapped, moved,
// dropped.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"

namespace kernel_events {

void listen(); // before the core has read its options

// From system_calls.cpp.
void before_system_call(ThreadId tid, UInt number, const UWord* arguments);
void after_system_call(ThreadId tid, UInt number, const UWord* arguments, SysRes result);

u64 io_urings(); // that were set up

} // namespace kernel_events
