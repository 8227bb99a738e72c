// Code of the program by which threads wait in a loop of its own: tells spin_waits.hpp of it.
//
// That is a pause instruction; and a loop, of a few blocks, that comes back to where it was with
// all registers and memory as they were: only another thread can let it end.
#pragma once

#include "trace/instrument.hpp"

namespace spin_code {

// Completes a block that has been instrumented for the trace, which has added to its statements.
IRSB* instrument(const Instrumentation& with, const IRSB* block, IRSB* traced);

} // namespace spin_code
