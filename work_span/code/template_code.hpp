// Finds the code of oneTBB's templates, which is in the program or inlined into it. Instructions of
// its headers, and of the std::atomics that these use, are no work, but for those of containers,
// ranges and sorting. Where such code decrements a count, translated code calls
// runtimes/onetbb.hpp: others may go on.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"
#include "trace/instrument.hpp"

namespace template_code {

bool has_libtbb(); // whether it is mapped now

// How much of the clock was instructions of oneTBB's headers. Basic blocks cannot be told apart: 0.
const u64* not_work(CostEvent clock);

// Completes a block that has been instrumented for the trace. Changes nothing without libtbb.
IRSB* instrument(const Instrumentation& with, IRSB* block);

} // namespace template_code
