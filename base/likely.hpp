// Which way a branch of the hot path goes nearly always. GCC 12 lays code out by [[likely]] as
// well, but with an instruction or two more in the reads of aprof/engine, which are 30 to 60 long.
#pragma once

#define APROF_LIKELY(x) __builtin_expect(!!(x), 1)
#define APROF_UNLIKELY(x) __builtin_expect(!!(x), 0)
