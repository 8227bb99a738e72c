// Threads that wait in a loop of the program's own: it only reads, pauses, yields or sleeps, until
// another thread has changed what it reads.
//
// What they wait for is known of a std::atomic that the loop loads (atomic_waits.hpp), and of
// whatever orders the thread at once after the loop: a thread's end, a post, a request. All else is
// counted. What a loop goes round in vain that only reads is no work. Who finds a std::atomic
// changed already, or a condition signalled, does not wait, and may have had to: that is counted,
// too, where it would make the span longer.
#pragma once

#include "work_span/state/state.hpp"

namespace spin_waits {

// The running thread is where it was before so many, with nothing changed.
void goes_round(u64 instructions, u64 blocks);
// The same by calls, which have been counted as work.
void goes_round_by_calls();
// It executes a pause instruction; system calls that give way to others.
void pauses();
void yields();
void sleeps();
// It does so: what it loads next may be what it waits for.
bool is_waiting();
// It finds what another thread has changed there, or with that lock, for which it may have had to
// wait.
void finds(GuestAddr address);
// It changes that itself, or waits with that lock: if it found something, that was not what for.
void changes(GuestAddr address);

// What it waited for has been said, or was a lock.
void is_known(shadow::Thread& thread);
void before_end(shadow::Thread& thread);
void forget(shadow::Thread& thread);

u64 unseen(); // waits without a partner known
u64 found();  // without a wait
void forget_totals();

} // namespace spin_waits
