// Counts how often an access, a call or a return left its fast path, by cause: look here before
// making one of them faster. Printed by --stats=yes (statistics.cpp).
#pragma once

#include "base/types.hpp"

enum class SlowPath : u8 {
  first_access,   // of cells with the same past
  induced_access, // of cells that others wrote
  unlike_cells,   // an access to cells with different pasts, one by one
  ancestor,       // first accesses to cells that were last accessed by one below the caller
  unaligned,      // or at a high address; also runs across chunks
  any_size,       // rest of the line above, and sizes that are no power of two
  no_blocks,      // cells indexed or not in the slot (always in the binder)
  indexed,        // those of them that change indexed timestamps
  unknown_chunk,  // new, or not accessed for a while
  call,
  return_,
  unlike_activation, // differs from the activation of its routine that returned last
};
inline constexpr unsigned kSlowPaths = static_cast<unsigned>(SlowPath::unlike_activation) + 1;

inline u64 slow_paths[kSlowPaths];

[[gnu::always_inline]] inline void took(SlowPath cause) {
  slow_paths[static_cast<unsigned>(cause)]++;
}
