// What users ask of the running tool: client requests (aprof.h) and monitor commands (vgdb). Keeps
// nothing; the collector and the writer do what is asked.
#pragma once

#include "base/valgrind.hpp"

namespace requests {

// The core asks it at each client request. True: the request is one of these.
Bool handle(ThreadId tid, UWord* arguments, UWord* result);

} // namespace requests
