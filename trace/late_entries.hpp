// Handles late entries: addresses without a symbol that turn out to be entries of routines after
// jumps to them were translated as jumps within a routine. The code with such jumps is translated
// anew, so that the result does not depend on the path that the program took first. So is code
// whose loops were found as those of the routine that jumped there.
//
// Costs 16 bytes for each direct jump in code without symbols.
#pragma once

#include "base/types.hpp"

namespace late_entries {

// The block at `block` is being translated with a jump to `target`, which is not known as an entry.
void jump_judged(GuestAddr target, GuestAddr block);
// A call of `target` was seen.
void found(GuestAddr target);

} // namespace late_entries
