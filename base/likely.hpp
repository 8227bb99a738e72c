// Branch hints for the hot path. GCC 12 lays out code by [[likely]] as well, but adds an
// instruction or two to the reads of aprof/engine, which are 30 to 60 instructions long.
#pragma once

#define APROF_LIKELY(x) __builtin_expect(!!(x), 1)
#define APROF_UNLIKELY(x) __builtin_expect(!!(x), 0)
