// kernelRead and kernelWrite: what system calls read and write of the client's memory, as the
// core's own wrappers report it for every system call, and memory that is mapped, unmapped,
// moved. Also the names that threads give themselves, which pass through system calls.
#pragma once

namespace kernel_events {

// `before_exec` runs before the client's image is replaced.
void listen(void (*before_exec)());

} // namespace kernel_events
