// Places the core's code cache within 4 GB of the tool's own code.
//
// The core maps the cache 60 GB above the tool, whose helpers the translations in it call at each
// access, call and return. Processors predict branches within 4 GB from many more places: between a
// cache and a routine so far apart, one of 2023 knew some 1,000 call sites, within 4 GB 8,000; each
// of the others costs 9 ns a call (docs/performance.md).
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"

namespace code_cache_placement {

// Maps what the core has asked for near the tool if it is as large as a sector of the code cache.
// Returns false, and maps nothing, if it is not or if there is no room.
bool map(std::size_t bytes, SysRes& mapped);

} // namespace code_cache_placement
