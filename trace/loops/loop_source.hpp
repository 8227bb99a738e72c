// Where in the source a loop stands, and by which inlined calls it came into its routine.
//
// All instructions of a loop are of one function of the source, or of what was inlined into that:
// the innermost that they share is the function whose loop it is. Its line is that of the jump that
// closes the loop; of a body that goes on into its condition, that of the condition; of a loop that
// is tested at its end, the first line of its body.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/loops/loop.hpp"

struct LoopSource {
  struct InlinedCall {  // of the function, or of the one inlined before, from innermost on
    const char* caller; // null: unknown
    u32 file;           // as routines->files() has it; 0: unknown
    u32 line;
  };

  const char* function = nullptr; // null: unknown
  u32 file = 0;                   // as routines->files() has it; 0: unknown
  u32 line = 0;                   // 0: unknown
  u32 last_line = 0;
  Vector<InlinedCall> inlined_into{"trace.loops.source"};
};

// Of a loop in code that is mapped, and of those around it that have none yet. Kept with the loops.
void find_sources(Loop& innermost);
