// Finds the code of oneTBB's templates, which is part of the program or inlined into it.
// Instructions of its headers, and of the std::atomics that these use, are no work, except those of
// containers, ranges and sorting. Where such code decrements a count, translated code calls
// runtimes/onetbb.hpp, because others may then continue.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"
#include "trace/instrument.hpp"

namespace template_code {

bool has_libtbb(); // whether it is mapped now

// The part of the clock that was in instructions of oneTBB's headers. Basic blocks cannot be
// attributed: 0.
const u64* not_work(CostEvent clock);

// Completes a block that has been instrumented for the trace. Changes nothing if libtbb is not
// mapped.
IRSB* instrument(const Instrumentation& with, IRSB* block);

} // namespace template_code
