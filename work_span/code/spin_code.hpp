// Instruments waiting loops with calls of order/spin_waits.hpp: those of run-time libraries at
// their pause instructions, and the program's own at pause instructions, and at the end of each
// round of a loop of a few quiet blocks (quiet_block.hpp), which only another thread can end.
#pragma once

#include "trace/instrument.hpp"

namespace spin_code {

// Completes a block that has been instrumented for the trace and has more statements now.
IRSB* instrument(const Instrumentation& with, const IRSB* block, IRSB* traced);

} // namespace spin_code
