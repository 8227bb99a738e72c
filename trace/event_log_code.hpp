// Instruments blocks to log events (trace/event_log.hpp).
#pragma once

#include "base/valgrind.hpp"
#include "trace/event_log.hpp"

namespace event_log {

// Adds an event of `site` to `block`. `target` is null for kinds without one.
void add(IRSB* block, const LogSite& site, IRExpr* sp, IRExpr* time, IRExpr* target);
// The arguments of call_indirect, stub_jump and jump.
IRExpr** arguments(const LogSite& site, IRExpr* target, IRExpr* sp);
// Translated code is left: delivers all events, and forgets targets, because the code at an address
// may change.
void code_stops();

} // namespace event_log
