// Of rep movs and rep stos, as copying and clearing are made of, every iteration is a block. The
// accesses of many are told at once: by the first of them, and those behind it only count down.
//
// Where the scheduler comes between (another thread runs, a signal comes, memory is missing), what
// is left is told anew. Where iterations may read what earlier ones wrote, each tells its own.
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

// Adds to such a block, behind its exit for no more iterations, what tells its accesses; the
// functions take an address and a number of bytes.
void tell(IRSB* block, StringOperation operation, void* read, void* write);

void interrupted();

} // namespace string_operations
