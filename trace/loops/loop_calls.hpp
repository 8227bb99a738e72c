// The calls that a loop makes from functions that are inlined into it: which routines it calls, and
// where those calls are in the source.
//
// Only calls with a known target have an entry: direct ones, and those through a linkage stub whose
// symbol is bound. Found by the code alone, when the profile is written.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/inline_info.hpp"
#include "trace/loops/loop.hpp"

struct LoopCall {
  RoutineId callee;
  inline_info::Frames at; // functions common to all calls of that routine; the first call's line
};

// One entry for each callee. Calls in inner loops belong to those; calls in the loop's own function
// are left out. Empty if the code has been unmapped. The loop must have a source.
Vector<LoopCall> calls_of(const Loop& loop);
