// Instruments the C library's free() with a call of order/locks.hpp, because locks end with the
// memory that contains them.
#pragma once

#include "base/valgrind.hpp"

namespace free_code {

// Adds the call to the block at the beginning of free(). Costs a comparison until the program has
// used a lock.
IRSB* instrument(IRSB* block);

} // namespace free_code
