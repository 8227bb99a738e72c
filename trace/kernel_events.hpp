// kernelRead and kernelWrite: what system calls read and write of the client's memory, as the
// core's own wrappers report it for every system call (less where they are known to overstate it),
// what a signal's delivery writes for its handler, and memory that is mapped, unmapped, moved,
// dropped. Also the names that threads give themselves, which pass through system calls.
#pragma once

namespace kernel_events {

// `before_exec` runs before the client's image is replaced, `exec_failed` if it was not after all.
void listen(void (*before_exec)(), void (*exec_failed)());

} // namespace kernel_events
