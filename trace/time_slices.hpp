// Time slices of the client's threads. They run nearly as side by side natively, so that work which
// they take as they come is divided as it would be: no thread gets ahead of another that could run
// by much more than a short slice.
//
// The core gives the lock for running to whoever waits for it. Its slices take 100,000 blocks, and
// a new thread, or one that has given way, comes late if the machine is busy. Here, threads give
// way, a block at a time, until those behind have caught up or have not come for a while. Slices
// may end where threads synchronise. Costs O(threads) for each slice.
#pragma once

#include "trace/threads.hpp"

namespace time_slices {

void want(); // otherwise, the core decides alone

void created(ClientThread& thread, const ClientThread* creator);
void ended(const ClientThread& thread);
void forked(ThreadId tid); // in the child: which thread it has
void starts_running(ThreadId tid);
void before_system_call(ThreadId tid, UInt number);

// The running thread is at a point of synchronisation: its slice ends if it has taken long.
void end_if_long();

} // namespace time_slices
