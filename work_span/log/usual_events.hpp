// Reads the log of what the program's own code does (trace/event_log.hpp).
#pragma once

#include "trace/event_log.hpp"

class CallStack;

namespace shadow {

// As sink::take_batch.
event_log::Taken take_batch(CallStack& calls, const event_log::Event* event,
                            const event_log::Event* end, bool more_come);
// Before what is counted is asked for: invocations that had a summary are counted there.
void count_summaries();

} // namespace shadow
