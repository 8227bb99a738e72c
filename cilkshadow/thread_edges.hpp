// What orders threads: the routines of the C library for threads, by name, futex(2) below them, and
// what they send each other. Each says "what this thread did until now happens before what that one
// does next".
//
// Locks are no such order (the logical span does not know them), but the lock-serialised span does.
// A condition variable's, a once's and a futex's waiter comes after all that was signalled so far.
// Semaphores are queues: the n-th wait comes after the n-th post, those that sem_init granted
// first.
#pragma once

#include "cilkshadow/hooks.hpp"

namespace thread_edges {

extern const shadow::Hooked hooks[]; // up to one without a name

// What the running thread did happens before what comes after all that was signalled there.
void signal(GuestAddr address);
void observe_signalled(GuestAddr address);

// Locks without a variable, by what stands for their address.
constexpr GuestAddr kUnnamedCritical = 1;
constexpr GuestAddr kAtomic = 2;
void acquired(GuestAddr address, const char* kind, RoutineId by);
void released(GuestAddr address);

void begins(shadow::Logical& thread);     // its first instruction is next
void keep_ended(shadow::Logical& thread); // for who joins it

// futex(2), see trace/futex_events.hpp.
void before_futex(GuestAddr address, u64 operation);
void after_futex(GuestAddr address, u64 operation, bool woken);
// See trace/channel_events.hpp. What is received comes after all that was sent so far.
void before_sending(u64 channel);
void after_receiving(u64 channel);
u64 unseen_waits(); // without a partner known
void forget_totals();

struct LockTotals {
  GuestAddr address;
  const char* kind;
  RoutineId first_by; // caller of the routine that acquired it first
  const SpanLock* lock;
};
template <typename F> void for_each_lock(F f);

// For for_each_lock.
std::size_t objects();
bool lock_of(std::size_t i, LockTotals& totals);

template <typename F> void for_each_lock(F f) {
  LockTotals totals;
  for (std::size_t i = 0; i < objects(); i++)
    if (lock_of(i, totals))
      f(totals);
}

} // namespace thread_edges
