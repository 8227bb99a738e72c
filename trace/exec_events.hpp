// When the client's image is about to be replaced by exec, and when it was not after all.
#pragma once

#include "base/valgrind.hpp"

namespace exec_events {

void listen(void (*before_exec)(), void (*exec_failed)());

// From system_calls.cpp.
void before_system_call(UInt number, const UWord* arguments);
void after_system_call(UInt number, SysRes result);

} // namespace exec_events
