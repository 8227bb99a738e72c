// Finds the instructions of the program that access a std::atomic, and has translated code call
// order/atomic_waits.hpp and cxx_objects.hpp there.
//
// An instruction is known by the line of source that it comes from, so only programs with debug
// information have any; atomic instructions without a line are counted.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"
#include "trace/instrument.hpp"

namespace atomic_code {

// Completes a block that has been instrumented for the trace, which has added to its statements.
IRSB* instrument(const Instrumentation& with, const IRSB* block, IRSB* traced);

// Adds a call after a compare-and-swap of up to 8 bytes, if that succeeds: of `changed`, with the
// address, the number of bytes, and the values before and after.
void add_call_on_change(const Instrumentation& with, IRSB* block, const IRCAS& cas,
                        void (*changed)(GuestAddr address, u64 bytes, u64 before, u64 after));

// Atomic instructions of programs in C++, translated so far, of which no line is known.
u64 without_lines();

} // namespace atomic_code
