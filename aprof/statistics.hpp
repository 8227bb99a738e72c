// Prints, with --stats=yes, figures for developers of the tool beside the core's own: how often
// accesses, calls and returns took a slow path (profile/slow_paths.hpp).
#pragma once

#include "base/types.hpp"

namespace statistics {

// Accesses for which translated code has called a helper, whether their guards held or not.
extern u64 accesses_reported;

void print();

} // namespace statistics
