// Happens-before edges between threads, by what they do to an address, a thread or a file. Each
// edge means that what one thread has done so far happens before what another one does next.
//
//   thread       a thread that joins it comes after its end
//   barrier      a thread that leaves comes after all that arrived in the round
//   once         a thread that finds it done comes after the one that did it
//   address      a thread that acquires comes after all that released so far: futex(2), pipes
//                and signals, requests of the program (cilkshadow.h)
//
// Conditions, semaphores, locks and atomics have files of their own.
#pragma once

#include "work_span/state/hooked_call.hpp"
#include "work_span/state/shadow_thread.hpp"

namespace thread_edges {

// Each table ends with an entry without a name.
extern const shadow::Hook hooks[]; // of the C library
extern const shadow::Hook hooks_of_cxx[];

// By the running thread.
void release(u64 address);
void acquire(u64 address);

void begins(shadow::Thread& thread);     // its first instruction is next
void keep_ended(shadow::Thread& thread); // for the thread that joins it

// Starts listening to futex(2) and to what threads send each other (trace/futex_events.hpp,
// channel_events.hpp).
void listen();
u64 unseen_waits(); // of futexes that nobody has released
void forget_totals();

} // namespace thread_edges
