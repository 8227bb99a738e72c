// Everything that the shadow adds to translated code, beside what the trace adds.
#pragma once

#include "base/valgrind.hpp"
#include "trace/instrument.hpp"

namespace shadow_code {

// Completes a block that has been instrumented for the trace, which has added to its statements.
IRSB* instrument(const Instrumentation& with, const IRSB* block, IRSB* traced);

} // namespace shadow_code
