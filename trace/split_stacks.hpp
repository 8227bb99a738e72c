// Stacks in segments: gcc's and LLVM's -fsplit-stack. Where a routine's stack is full, its prologue
// calls __morestack, which makes another segment, calls the rest of the routine there, and comes
// back. That is one call of the routine, and one stack: the segments have a logical thread in
// common.
//
// __morestack is known by what it does, as it may have no symbol: a call before anything is pushed,
// with a return behind it, sets the stack pointer to where no stack is known. Whether the routine
// goes on there is seen when what is behind that return is called; a coroutine that begins there
// instead is entered by a jump.
#pragma once

#include "base/types.hpp"
#include "trace/stacks.hpp"

namespace split_stacks {

// The code that runs on `left`, down to `lowest`, has set the stack pointer to `sp`: the segment
// that it may have begun. Null: it is none.
Stack* begin_segment(Stack& left, GuestAddr lowest, GuestAddr sp);

// Whether `target` is called for the rest of a routine that goes on on this stack: then it does.
bool is_continued(Stack& stack, GuestAddr target);

// The segment beneath `stack` that `sp` is on; all above it have ended. Null: it is on none.
Stack* leave_segments(Stack* stack, GuestAddr sp);

// Ends without a word what is kept of the segments beneath.
void forget_beneath(Stack& stack);

} // namespace split_stacks
