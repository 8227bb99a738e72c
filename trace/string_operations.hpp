// The accesses of rep movs and rep stos, by which copying and clearing are implemented. Each
// iteration is a block. The first iteration reports the accesses of up to 4,096; the others only
// count down.
//
// They count as one basic block per 128 bytes, the amount that the C library's vector loops move in
// one block. So the cost of a copy does not jump at the size where the library changes from one to
// the other.
//
// After an interruption (by another thread, a signal or a memory fault) the remaining
// iterations are reported anew. If they may read what earlier iterations wrote, each iteration
// reports its own accesses.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"

#include <optional>

struct StringOperation {
  unsigned bytes; // of an element
  bool moves;     // also reads the element
};

namespace string_operations {

// The operation that a block at this address repeats, if it does nothing else.
std::optional<StringOperation> repeated_by(const IRSB* block, GuestAddr address);

// An I64 of 0 or 1: whether the iteration that begins counts as a basic block. The last one does,
// which only ends the operation, and so does each at whose beginning a multiple of 128 bytes is
// left.
IRExpr* counts(IRSB* block, StringOperation operation);

// Adds code that reports the block's accesses, behind its exit for no more iterations. The
// functions take an address and a number of bytes.
void report_accesses(IRSB* block, StringOperation operation, void* read, void* write);

// Call when the scheduler has run: accesses that were reported ahead may not have happened.
void interrupted();

} // namespace string_operations
