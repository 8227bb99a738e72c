// Instructions of the program that change a std::atomic: tells atomic_waits.hpp of them. They are
// known by the line of source that they come from, so that only programs with -g have them; others'
// are counted.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"
#include "trace/instrument.hpp"

namespace atomic_code {

// Completes a block that has been instrumented for the trace, which has added to its statements.
IRSB* instrument(const Instrumentation& with, const IRSB* block, IRSB* traced);

// Adds, after a compare-and-swap of up to 8 bytes: if it succeeds, a call of `changed` with the
// address, how many bytes, and what they were and are.
void tell_of_change(const Instrumentation& with, IRSB* block, const IRCAS& cas,
                    void (*changed)(GuestAddr address, u64 bytes, u64 before, u64 after));

// Atomic instructions of programs in C++, translated so far, of which no line is known.
u64 without_lines();

} // namespace atomic_code
