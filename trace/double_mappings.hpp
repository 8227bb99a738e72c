// Finds memory of the client that is mapped at several addresses: pages of a file with several
// shared mappings, and System V segments attached twice. A store to one address is not seen at the
// other. Each new shared mapping takes time linear in the number of mappings.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"

namespace double_mappings {

// Called by kernel_events.cpp after a system call that succeeded.
void after_system_call(UInt number, const UWord* arguments, Addr result);

u64 count(); // number of mappings so far of memory that was already mapped

} // namespace double_mappings
