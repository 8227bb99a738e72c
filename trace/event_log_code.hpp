// What translated code does to log events (trace/event_log.hpp).
#pragma once

#include "base/valgrind.hpp"
#include "trace/event_log.hpp"

namespace event_log {

// Adds to `block` an event of `site`; `target` null if its kind has none.
void add(IRSB* block, const LogSite& site, IRExpr* sp, IRExpr* time, IRExpr* target);
// The arguments of call_indirect, stub_jump and jump.
IRExpr** arguments(const LogSite& site, IRExpr* target, IRExpr* sp);
// Translated code is left: all is delivered, and what is at an address may change.
void code_stops();

} // namespace event_log
