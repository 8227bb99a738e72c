// What the shadow asks of the program's code, beside what the trace tells it.
#pragma once

#include "base/valgrind.hpp"
#include "trace/instrument.hpp"

namespace shadow_code {

// Completes a block that has been instrumented for the trace, which has added to its statements.
IRSB* instrument(const Instrumentation& with, const IRSB* block, IRSB* traced);

} // namespace shadow_code
