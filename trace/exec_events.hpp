// Reports that the client is about to be replaced by exec, and when that exec has failed.
#pragma once

#include "base/valgrind.hpp"

namespace exec_events {

void listen(void (*before_exec)(), void (*exec_failed)());

// Called by system_calls.cpp.
void before_system_call(UInt number, const UWord* arguments);
void after_system_call(UInt number, SysRes result);

} // namespace exec_events
