// What users ask of a running tool: client requests (aprof.h) and monitor commands (vgdb).
#pragma once

#include "base/valgrind.hpp"

namespace requests {

// For the core: true if the request is one of ours.
Bool handle(ThreadId tid, UWord* arguments, UWord* result);

} // namespace requests
