// Waits in the program's own loops: loops that only read, pause, yield or sleep until another
// thread has changed what they read.
//
//   the thread waits for        recognised because
//   a std::atomic               the loop loads it (atomic_waits.hpp)
//   anything else that orders   the order comes directly after the loop: a thread's end, a post,
//     the thread                a request of the program
//   something else              it is not: counted as unseen
//
// A loop that only reads is no work. A thread that finds a std::atomic changed already, or a
// condition signalled, does not wait, but might have had to. Such cases are counted as found if the
// order would make the span longer.
//
// The state of a thread's latest wait is in shadow::SpinWait. All events cost O(1).
#pragma once

#include "work_span/state/state.hpp"

namespace spin_waits {

// Events of translated code (code/spin_code.hpp). The running thread has executed a round of a
// loop, of so many instructions or blocks, that changed nothing;
void goes_round(u64 instructions, u64 blocks);
// or a round with calls, which has been counted as work.
void goes_round_by_calls();
void pauses();
// A run-time library has: until its routine calls something, it spins.
void library_pauses();

// System calls that let other threads run.
void yields();
void sleeps();

// Whether the running thread waits in a loop: what it loads next may be what it waits for.
bool is_waiting();
// The running thread finds what another one has changed at this address, or under this lock, and
// might have had to wait for it.
void finds(GuestAddr address);
// It changes that itself, or waits under that lock: so it did not wait for what it found.
void changes(GuestAddr address);

// Does not count the thread's wait: its partner is known, or it waited for a lock.
void discard_wait(shadow::Thread& thread);
void before_end(shadow::Thread& thread);
void forget(shadow::Thread& thread);

u64 unseen(); // waits without a known partner
u64 found();  // how often threads found something without a wait
void forget_totals();

} // namespace spin_waits
