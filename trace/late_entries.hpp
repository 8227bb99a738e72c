// Handles late entries: addresses without a symbol that turn out to be entries of routines after
// jumps to them were translated as jumps within a routine. The code with such jumps is translated
// anew, so that the result does not depend on the path that the program took first.
//
// Costs 16 bytes for each direct jump in code without symbols. The core discards translations only
// between blocks, when a block asks for it. So the next block to be translated is replaced by one
// that only asks, once for each stale block; then it is itself discarded and translated.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"

namespace late_entries {

// The block at `block` is being translated with a jump to `target`, which is not known as an entry.
void jump_judged(GuestAddr target, GuestAddr block);
// A call of `target` was seen.
void found(GuestAddr target);

// Returns the code that replaces a block, or null if the block itself is to be translated.
IRSB* instead_of(const IRSB* block, const VgCallbackClosure& closure);

} // namespace late_entries
