// Raises kernelRead and kernelWrite for accesses that the core does not report: the offset that
// sendfile reads, the offsets that splice and copy_file_range store, the remote side of
// process_vm_readv and process_vm_writev if it is this process itself, and the word that the kernel
// clears when a thread ends.
#pragma once

#include "base/valgrind.hpp"

struct ClientThread;

namespace unreported_accesses {

// Called by kernel_events.cpp.
void before_system_call(ThreadId tid, UInt number, const UWord* arguments);
void after_system_call(ThreadId tid, UInt number, const UWord* arguments, SysRes result);

// Called by threads.cpp when a thread is created and when one ends.
void created(ClientThread& child);
void ends(const ClientThread& thread);

} // namespace unreported_accesses
