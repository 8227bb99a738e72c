// Instruments the program's accesses to std::atomics with calls of order/atomic_waits.hpp and
// cxx_objects.hpp.
//
// An access is recognised by the source line of its instruction, so this requires debug
// information. Atomic instructions without a line are counted.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"
#include "trace/instrument.hpp"

namespace atomic_code {

// Completes a block that has been instrumented for the trace and has more statements now.
IRSB* instrument(const Instrumentation& with, const IRSB* block, IRSB* traced);

// Adds a call of `changed` after a successful compare-and-swap of up to 8 bytes, with the address,
// the number of bytes, and the values before and after.
void add_call_on_change(const Instrumentation& with, IRSB* block, const IRCAS& cas,
                        void (*changed)(GuestAddr address, u64 bytes, u64 before, u64 after));

// The number of atomic instructions without a known line that were translated so far, in C++
// programs.
u64 without_lines();

} // namespace atomic_code
