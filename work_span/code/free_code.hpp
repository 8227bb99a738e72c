// Finds the C library's free(), and has translated code call order/locks.hpp there: locks end with
// the memory that they are in.
#pragma once

#include "base/valgrind.hpp"

namespace free_code {

// Adds the call to a block that is the beginning of free(). It costs a comparison until the program
// has used a lock.
IRSB* instrument(IRSB* block);

} // namespace free_code
