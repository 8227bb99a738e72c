// Where a value for the stack pointer comes from. Ordinary code moves the stack pointer, and gets
// it back from the frame pointer; longjmp, exceptions and switches of stacks set it. (Some
// functions get it back from elsewhere, too.)
#pragma once

#include "trace/translated_block.hpp"

enum class StackPointerOrigin { stack_pointer, frame_pointer, elsewhere };

// What `value` was computed from by the block's statements until the present one. Looks at 500
// expressions at most.
StackPointerOrigin stack_pointer_origin(const TranslatedBlock& block, const IRExpr* value);
