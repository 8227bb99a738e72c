// What orders threads: the routines of the C library for threads, by name, futex(2) below them, and
// what they send each other. Each says "what this thread did until now happens before what that one
// does next".
//
// A once's and a futex's waiter comes after all that was signalled so far. Semaphores are queues:
// the n-th wait comes after the n-th post, those that sem_init granted first. Of conditions see
// wake_ups.hpp.
#pragma once

#include "work_span/state/hook.hpp"

namespace thread_edges {

// Each up to one without a name.
extern const shadow::Hook hooks[]; // of the C library
extern const shadow::Hook hooks_of_cxx[];

// What the running thread did happens before what comes after all that was signalled there.
void signal(GuestAddr address);
void observe_signalled(GuestAddr address);

void begins(shadow::Thread& thread);     // its first instruction is next
void keep_ended(shadow::Thread& thread); // for who joins it

// To futex(2) and what threads send each other, from here on (trace/futex_events.hpp,
// channel_events.hpp). What is received comes after all that was sent so far.
void listen();
u64 unseen_waits(); // without a partner known
void forget_totals();

} // namespace thread_edges
