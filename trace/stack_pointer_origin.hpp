// Where a new value of the stack pointer comes from. Ordinary code computes it from the stack
// pointer or restores it from the frame pointer. Longjmp, exceptions and stack switches set it to
// something else. (Some functions restore it from elsewhere, too.)
#pragma once

#include "trace/translated_block.hpp"

enum class StackPointerOrigin { stack_pointer, frame_pointer, elsewhere };

// Finds what `value` was computed from by the block's statements up to the present one. Looks at
// 500 expressions at most.
StackPointerOrigin stack_pointer_origin(const TranslatedBlock& block, const IRExpr* value);
