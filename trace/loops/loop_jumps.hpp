// Reports computed jumps and unwinding to the loops of a routine. Code that is reached for the
// first time is added to the flow graph with the jump that led to it (loop_table.hpp). After a
// longjmp or an exception, the frame that continues is in the loop that its code is in.
#pragma once

#include "base/types.hpp"

namespace loop_events {

// The latest computed jump.
struct Jump {
  GuestAddr from; // an instruction
  GuestAddr to;
};
extern Jump latest_jump;

// A longjmp or an exception has gone to `target` in the routine, and has left the call that was to
// return to `left_call`.
void event_unwind(RoutineId routine, GuestAddr left_call, GuestAddr target);

} // namespace loop_events
