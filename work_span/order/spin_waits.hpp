// Threads that wait in a loop of the program's own: a loop that only reads, pauses, yields or
// sleeps until another thread has changed what it reads.
//
//   what it waited for               how that is known
//   a std::atomic                    the loop loads it (atomic_waits.hpp)
//   whatever else orders the thread  the order comes at once after the loop: a thread's end, a
//   post,
//                                    a request of the program
//   anything else                    it is not, and counted as unseen
//
// A loop that only reads is no work. A thread that finds a std::atomic changed already, or a
// condition signalled, does not wait; but it may have had to: that is counted as found, where it
// would make the span longer.
//
// The state of a thread's latest wait is in shadow::SpinWait. All events cost O(1).
#pragma once

#include "work_span/state/state.hpp"

namespace spin_waits {

// Events of translated code (code/spin_code.hpp). The running thread has gone round a loop of so
// many instructions or blocks, with nothing changed;
void goes_round(u64 instructions, u64 blocks);
// or round one that calls, which has been counted as work.
void goes_round_by_calls();
void pauses();

// System calls that let others run.
void yields();
void sleeps();

// Whether the running thread waits so: what it loads next may be what it waits for.
bool is_waiting();
// The running thread finds what another one has changed there, or under that lock, and may have had
// to wait for it.
void finds(GuestAddr address);
// It changes that itself, or waits under that lock: then it did not wait for what it found.
void changes(GuestAddr address);

// What a thread waited for is known, or was a lock.
void is_known(shadow::Thread& thread);
void before_end(shadow::Thread& thread);
void forget(shadow::Thread& thread);

u64 unseen(); // waits without a partner known
u64 found();  // what threads found without a wait, so often
void forget_totals();

} // namespace spin_waits
