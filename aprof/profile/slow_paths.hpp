// How often an access, a call or a return needed more than the few steps that most take, by cause:
// what to ask before making one of them faster. --stats=yes prints it (statistics.cpp).
#pragma once

#include "base/types.hpp"

enum class SlowPath : u8 {
  first_access,   // of cells with the same past
  induced_access, // of cells that others wrote
  unlike_cells,   // an access to cells with different pasts, which looks at each
  ancestor,       // of first accesses: one below the caller was the last to access the cells
  unaligned,      // or at high addresses; and runs across chunks
  any_size,       // what the line above leaves, and what is of no power of two of bytes
  no_blocks,      // the chunk's cells are indexed, or it is not known, as all are in the binder
  indexed,        // of these, cells whose timestamps change
  unknown_chunk,  // one that is new, or was not accessed for a while
  call,
  return_,
  unlike_activation, // of a routine, but not as the one that returned last
};
inline constexpr unsigned kSlowPaths = static_cast<unsigned>(SlowPath::unlike_activation) + 1;

inline u64 slow_paths[kSlowPaths];

[[gnu::always_inline]] inline void took(SlowPath cause) {
  slow_paths[static_cast<unsigned>(cause)]++;
}
