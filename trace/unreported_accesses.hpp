// kernelRead and kernelWrite of which the core does not tell: the offset that sendfile reads, those
// that splice and copy_file_range store, the other side of process_vm_readv and writev where it is
// this process itself, and the word that the kernel clears when a thread ends.
#pragma once

#include "base/valgrind.hpp"

struct ClientThread;

namespace unreported_accesses {

// From kernel_events.cpp.
void before_system_call(ThreadId tid, UInt number, const UWord* arguments);
void after_system_call(ThreadId tid, UInt number, const UWord* arguments, SysRes result);

// From threads.cpp, where a thread is created, and one ends.
void created(ClientThread& child);
void ends(const ClientThread& thread);

} // namespace unreported_accesses
