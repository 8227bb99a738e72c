// The C library's semaphores: the n-th wait comes after the n-th post (semaphore_queue.hpp).
#pragma once

#include "work_span/state/hooked_call.hpp"

namespace semaphores {

extern const shadow::Hook hooks[]; // up to one without a name

} // namespace semaphores
