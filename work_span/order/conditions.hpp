// The C library's condition variables: a woken thread comes after the signal that woke it
// (condition_queue.hpp).
#pragma once

#include "work_span/state/hooked_call.hpp"

namespace conditions {

extern const shadow::Hook hooks[]; // up to one without a name

u64 unseen_waits(); // ended by no known signal
void forget_totals();

} // namespace conditions
