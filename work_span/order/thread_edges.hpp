// Order between threads by what they do to an address, a thread or a file: each edge says "what
// this thread did until now happens before what that one does next".
//
//   thread       who joins it comes after its end
//   barrier      who leaves comes after all who arrived in the round
//   once         who finds it done comes after the thread that did it
//   address      who acquires comes after all who released so far: futex(2), pipes and signals,
//                requests of the program (cilkshadow.h)
//
// Conditions, semaphores, locks and atomics have files of their own.
#pragma once

#include "work_span/state/hooked_call.hpp"
#include "work_span/state/shadow_thread.hpp"

namespace thread_edges {

// Each up to one without a name.
extern const shadow::Hook hooks[]; // of the C library
extern const shadow::Hook hooks_of_cxx[];

// By the running thread.
void release(u64 address);
void acquire(u64 address);

void begins(shadow::Thread& thread);     // its first instruction is next
void keep_ended(shadow::Thread& thread); // for who joins it

// Hears of futex(2) and of what threads send each other from here on (trace/futex_events.hpp,
// channel_events.hpp).
void listen();
u64 unseen_waits(); // of futexes that nobody released
void forget_totals();

} // namespace thread_edges
