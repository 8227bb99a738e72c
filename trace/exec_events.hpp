// When the client's image is about to be replaced by exec, and when it was not after all.
#pragma once

#include "base/valgrind.hpp"

namespace exec_events {

void listen(void (*before_exec)(), void (*exec_failed)());

// What the core tells of every system call.
void before_system_call(UInt number, const UWord* arguments);
void system_call_failed(UInt number);

} // namespace exec_events
