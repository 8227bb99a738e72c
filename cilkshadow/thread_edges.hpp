// What orders threads: the routines of the C library for threads, by name, and futex(2) below
// them. Each says "what this thread did until now happens before what that one does next".
//
// Locks are no such order (the logical span does not know them), but the lock-serialised span does.
// A condition variable's, a once's and a futex's waiter comes after all that was signalled so far.
// Semaphores are queues: the n-th wait comes after the n-th post, those that sem_init granted
// first.
#pragma once

#include "cilkshadow/shadow.hpp"

namespace thread_edges {

bool is_hooked(const char* routine);

// The running thread is about to execute a hooked routine, or to return from the latest.
void entered(shadow::Logical& thread, RoutineId routine);
void returns(shadow::Logical& thread);

void begins(shadow::Logical& thread); // its first instruction is next
void ends(shadow::Logical& thread);
void keep_ended(shadow::Logical& thread); // for who joins it

// futex(2), as the core's system call wrappers see it.
void before_futex(GuestAddr address, u64 operation);
void after_futex(GuestAddr address, u64 operation, bool woken);
u64 unseen_waits(); // without a partner known

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
