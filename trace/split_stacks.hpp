// Recognises stacks in segments, as gcc's and LLVM's -fsplit-stack make them. If a routine finds
// its stack full, its prologue calls __morestack, which allocates another segment, calls the rest
// of the routine there, and comes back. That is one call of the routine on one stack: the segments
// share a logical thread.
//
// __morestack may have no symbol, so it is recognised by what it does: a call before anything is
// pushed, followed by a return instruction, sets the stack pointer to an address on no known stack.
// If the code behind that return instruction is then called, the routine continues there. A
// coroutine that begins there instead is entered by a jump.
#pragma once

#include "base/types.hpp"
#include "trace/stacks.hpp"

namespace split_stacks {

// The code that runs on `left`, whose lowest address is `lowest`, has set the stack pointer to
// `sp`. Returns the segment that may have begun; null if none has.
Stack* begin_segment(Stack& left, GuestAddr lowest, GuestAddr sp);

// Returns whether `target` is called as the rest of a routine that continues on this stack. If so,
// the stack is a segment from now on.
bool continue_on(Stack& stack, GuestAddr target);

// Returns the segment beneath `stack` that `sp` is on; all segments above it have ended. Null if
// `sp` is on none.
Stack* leave_segments(Stack* stack, GuestAddr sp);

// Frees the segments beneath without reporting anything.
void forget_beneath(Stack& stack);

} // namespace split_stacks
