// Addresses without a symbol that turn out to be routines' entries after jumps there were
// translated as jumps within a routine. That code is translated anew, so that it does not matter
// which way the program came first.
//
// Keeps 16 bytes for each direct jump in code without symbols. The core discards translations only
// between blocks, when one asks for it: the next block that is translated becomes one that does
// nothing but ask, once for each that is stale, and is then translated itself.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"

namespace late_entries {

// The block at `block` is translated with a jump to `target`, which is known for no entry.
void jump_judged(GuestAddr target, GuestAddr block);
// A call of `target` was seen.
void found(GuestAddr target);

// What to translate instead of a block, or null: it is to be translated.
IRSB* instead_of(const IRSB* block, const VgCallbackClosure& closure);

} // namespace late_entries
