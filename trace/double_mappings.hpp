// Memory of the client that is at several addresses at once: pages of a file that are mapped shared
// where others of its mappings are, too, and segments of System V attached twice. What is stored
// under one address is not seen under the other. Looking takes time in the number of mappings, at
// each that is shared.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"

namespace double_mappings {

// From kernel_events.cpp, of calls that succeeded.
void after_system_call(UInt number, const UWord* arguments, Addr result);

u64 count(); // mappings so far that were of what was mapped already

} // namespace double_mappings
