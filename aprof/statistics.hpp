// What --stats=yes prints beside the core's own figures, for those who work on the tool.
#pragma once

#include "base/types.hpp"

namespace statistics {

// By helpers of translated code, whether their guards held or not.
extern u64 accesses_told;

void print();

} // namespace statistics
