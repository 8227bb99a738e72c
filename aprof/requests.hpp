// Handles requests to the running tool: client requests (aprof.h) and monitor commands (vgdb).
// Stateless; the collector and the writer carry them out.
#pragma once

#include "base/valgrind.hpp"

namespace requests {

// Called by the core at each client request. Returns true if the request is one of the tool's.
Bool handle(ThreadId tid, UWord* arguments, UWord* result);

} // namespace requests
