// The clock of the client: what it has executed, by cost event.
//
// While a thread runs, translated code counts in the thread's guest state, where shadow registers
// that our tools do not need leave room. A block finds it beside the registers, at no cost; a
// counter at a fixed address would make each block wait for the one before.
//
// What tools read is the clock in memory. It is right whenever no translated code runs, and where
// that has published the time: before each helper that reads the clock.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"

namespace client_clock {

void keep(Costs& in_memory); // before the client starts
void starts_running(ThreadId tid);

// What translated code does.
IRExpr* count(IRSB* block, CostEvent event, IRExpr* amount); // the time it is then
IRExpr* time(IRSB* block, CostEvent event);
void publish(IRSB* block, CostEvent event, IRExpr* time);

} // namespace client_clock
