// Discards translations that are out of date, so that the code is translated anew.
//
// The core discards translations only between blocks, when a block asks for it. So the next block
// to be translated is replaced by one that only asks, once for each stale block; then it is itself
// discarded and translated.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"

namespace stale_code {

// What was translated from the instruction at `address` is out of date.
void add(GuestAddr address);

// Returns the code that replaces a block, or null if the block itself is to be translated.
IRSB* instead_of(const IRSB* block, const VgCallbackClosure& closure);

} // namespace stale_code
