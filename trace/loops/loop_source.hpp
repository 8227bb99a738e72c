// The source position of a loop, and the inlined calls by which it came into its routine.
//
// All instructions of a loop come from one source function, or from functions inlined into it: the
// innermost function that they share is the loop's. The loop's line is that of the jump that closes
// it; of the condition, if the body falls through into it; or an earlier one: that of another jump
// out of it, as conditions are not moved by compilers, or that of its first instruction, unless the
// source's condition is above the body.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/loops/loop.hpp"

struct LoopSource {
  struct InlinedCall {  // of the function, or of the previous caller; innermost first
    const char* caller; // null: unknown
    u32 file;           // number in routines->files(); 0: unknown
    u32 line;
  };

  const char* function = nullptr; // null: unknown
  u32 file = 0;                   // number in routines->files(); 0: unknown
  u32 line = 0;                   // 0: unknown
  u32 last_line = 0;
  Vector<InlinedCall> inlined_into{"trace.loops.source"};
};

// Finds the source of a loop in code that is mapped, and of the loops around it that have none yet.
// The sources are stored with the loops.
void find_sources(Loop& innermost);
