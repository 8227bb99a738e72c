// Condition variables of the C library: a thread that was woken comes after the signal that woke it
// (condition_queue.hpp).
#pragma once

#include "work_span/state/hooked_call.hpp"

namespace conditions {

extern const shadow::Hook hooks[]; // up to one without a name

u64 unseen_waits(); // ended by no signal that is known
void forget_totals();

} // namespace conditions
