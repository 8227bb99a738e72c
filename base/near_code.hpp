// Where translations lie. Valgrind's core maps their cache 60 GB above the tool's own code, which
// they call at each access, call and return, and which returns to them. Processors predict branches
// within 4 GB from many more places: between a cache and a routine so far apart, one of 2023 knew
// some 1,000 call sites, within 4 GB 8,000; the others cost 9 ns each time (docs/performance.md).
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"

namespace near_code {

// Maps what the core has asked for in the 4 GB of the tool's code if it is as large as a sector of
// that cache. False: it is not, or there is no room.
bool map(std::size_t bytes, SysRes& mapped);

} // namespace near_code
