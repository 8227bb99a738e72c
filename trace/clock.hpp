// The clock of the client: what it has executed so far, by cost event.
//
// While a thread runs, translated code keeps the counts in the thread's guest state, in shadow
// registers that the tools do not use. They are next to the guest's registers and cost a block
// nothing extra; a counter at a fixed address would make each block wait for the store of the block
// before.
//
// Tools read the clock from memory. That copy is up to date whenever no translated code runs, and
// wherever translated code has published the time: before each helper that reads the clock.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"
#include "trace/guest_registers.hpp"

namespace client_clock {

// Two adjacent registers.
constexpr Int kOffset = offsetof(VexGuestAMD64State, guest_RAX);

void start(Costs& in_memory); // call before the client starts
void starts_running(ThreadId tid);
// Call before a handler runs: the core delivers the signal of a fault while the faulting code runs.
void signal_comes(ThreadId tid);

// The code that is added to translated blocks.
IRExpr* count(IRSB* block, CostEvent event, IRExpr* amount); // returns the new time
IRExpr* time(IRSB* block, CostEvent event);
void publish(IRSB* block, CostEvent event, IRExpr* time);

// The time, for a helper that gets the guest state, so that the time need not be published for it:
// this saves the cost where the helper is rarely called. `say_helper_reads` declares the read to
// VEX.
inline Costs time(const void* guest_state) {
  const auto* const at = static_cast<const char*>(guest_state) + guest::in_shadow(kOffset);
  const auto* const of = reinterpret_cast<const u64*>(at);
  return {of[0], of[1]};
}
void say_helper_reads(IRDirty* call);

} // namespace client_clock
