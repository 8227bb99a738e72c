// The client's system calls: the one place that the core tells of each, before and after, and that
// tells those of trace/ who follow them. Which of these do anything is up to the tool, which has
// them listen.
#pragma once

namespace system_calls {

void listen(); // before the core has read its options

} // namespace system_calls
