// The C library's free(): locks end with the memory that they are in (order/locks.hpp).
#pragma once

#include "base/valgrind.hpp"

namespace free_code {

// Adds to a block, if it is the beginning of free(), what is asked there.
IRSB* instrument(IRSB* block);

} // namespace free_code
