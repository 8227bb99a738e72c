// The accesses of rep movs and rep stos, which copying and clearing are made of. Each iteration is
// a block. The first of up to 4,096 iterations reports the accesses of all; the others count down.
//
// Their cost in basic blocks is a block for each 128 bytes, which is what the C library's loops of
// vector instructions move in one: the cost of a copy does not jump where the library changes from
// these to those.
//
// After an interruption (another thread runs, a signal comes, memory is missing) the iterations
// that are left are reported anew. Where they may read what earlier ones wrote, each reports its
// own.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"

#include <optional>

struct StringOperation {
  unsigned bytes; // of an element
  bool moves;     // reads it, too
};

namespace string_operations {

// What a block at this address repeats, if it does nothing else.
std::optional<StringOperation> repeated_by(const IRSB* block, GuestAddr address);

// Whether the iteration that begins counts as a basic block, as an I64 of 0 or 1: the last one,
// which only ends, and each that leaves a multiple of 128 bytes to come when it begins.
IRExpr* counts(IRSB* block, StringOperation operation);

// Adds to such a block, behind its exit for no more iterations, the report of its accesses. The
// functions take an address and a number of bytes.
void report_accesses(IRSB* block, StringOperation operation, void* read, void* write);

// The scheduler ran: accesses that were reported ahead may not have happened.
void interrupted();

} // namespace string_operations
