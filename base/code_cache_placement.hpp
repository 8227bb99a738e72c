// Places the core's code cache (its translations) within 4 GB of the tool's own code.
//
// By default the core maps the cache 60 GB above the tool, whose helpers the translations call at
// each access, call and return. Processors can predict many more branches if source and target are
// within 4 GB of each other: a processor of 2023 predicted calls from some 1,000 call sites over
// the long distance, and from 8,000 within 4 GB. Each call that it does not predict costs 9 ns
// (docs/performance.md).
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"

namespace code_cache_placement {

// Maps the core's request near the tool if it is as large as a sector of the code cache. Returns
// false, and maps nothing, if it is not that large or if there is no room.
bool map(std::size_t bytes, SysRes& mapped);

} // namespace code_cache_placement
