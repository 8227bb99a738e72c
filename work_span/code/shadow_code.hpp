// Adds all of the shadow's own instrumentation to blocks that have been instrumented for the trace.
#pragma once

#include "base/valgrind.hpp"
#include "trace/instrument.hpp"

namespace shadow_code {

// Completes a block that has been instrumented for the trace and has more statements now.
IRSB* instrument(const Instrumentation& with, const IRSB* block, IRSB* traced);

} // namespace shadow_code
