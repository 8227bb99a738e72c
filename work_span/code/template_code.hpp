// Code of oneTBB's templates, in the program or inlined into it: instructions that come from its
// headers, or from the atomics that these use, are no work (but for its containers, ranges and
// sorting), and where it decrements a count, others may go on.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"
#include "trace/instrument.hpp"

namespace template_code {

bool has_libtbb(); // now

// Of that clock, instructions of what comes from its headers. Of basic blocks none can be told
// apart.
const u64* not_work(CostEvent clock);

// Completes a block that has been instrumented for the trace. No more than that without libtbb.
IRSB* instrument(const Instrumentation& with, IRSB* block);

} // namespace template_code
