// What computed jumps and unwinding tell the loops of their routine: code that is reached for the
// first time is looked through with where control came from (loop_table.hpp), and a frame that goes
// on after a longjmp or an exception is in whatever loop its code is in.
#pragma once

#include "base/types.hpp"

namespace loop_events {

// The latest computed jump.
struct Jump {
  GuestAddr from; // an instruction
  GuestAddr to;
};
extern Jump latest_jump;

// A longjmp or an exception has gone to `target` in the routine, out of what a call that was to
// return to `left_call` had called.
void event_unwind(RoutineId routine, GuestAddr left_call, GuestAddr target);

} // namespace loop_events
