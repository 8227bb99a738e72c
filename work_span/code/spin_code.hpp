// Finds the code by which threads wait in a loop of the program's own, and has translated code call
// order/spin_waits.hpp there: at pause instructions, and at the end of each round of a loop of a
// few quiet blocks (quiet_block.hpp), which only another thread can end.
#pragma once

#include "trace/instrument.hpp"

namespace spin_code {

// Completes a block that has been instrumented for the trace, which has added to its statements.
IRSB* instrument(const Instrumentation& with, const IRSB* block, IRSB* traced);

} // namespace spin_code
