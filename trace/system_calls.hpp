// The client's system calls. The core calls back here, before and after each one, and this file
// passes it on to the parts of trace/ that observe system calls. Each of them is active only if the
// tool has made it listen.
#pragma once

namespace system_calls {

void listen(); // call before the core has read its options

} // namespace system_calls
