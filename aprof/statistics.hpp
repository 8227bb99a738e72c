// What --stats=yes prints beside the core's own figures, for those who work on the tool: how often
// accesses, calls and returns took a slow path (profile/slow_paths.hpp).
#pragma once

#include "base/types.hpp"

namespace statistics {

// Accesses that helpers of translated code were called for, whether their guards held or not.
extern u64 accesses_reported;

void print();

} // namespace statistics
