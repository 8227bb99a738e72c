// Turns: threads that alternate by a lock and a condition, where one of them may find that its turn
// has already come. It acquires the lock after another thread has signalled the condition, and does
// not wait for the condition although its code can (code/wait_code.hpp). So it is not ordered after
// the thread that signalled.
//
// A call that can wait is identified by its return address. Which conditions it waits for is known
// if some thread has waited there, before or after. Such a call cannot have found its turn at
// another condition that was signalled under the same lock.
//
// The last thread that comes to a barrier made of a lock and a condition is a similar case: it does
// not wait where the others do, but signals them. In the first round it is not ordered after their
// arrivals; then the barrier is known (condition_barrier.hpp).
//
// Costs O(callers) if the lock was signalled, or waited under, on a longer path.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"
#include "work_span/order/locks.hpp"
#include "work_span/state/hooked_call.hpp"

namespace turns {

// Finds the calls that can wait, given the return addresses of the latest calls:
// wait_code::waits_ahead. Set before the client starts.
extern const Vector<GuestAddr>& (*waits_ahead)(const Vector<GuestAddr>& returns);

// The running thread has acquired a lock that was signalled on a longer path, by a call with that
// return address. Returns false if its code is not known to wait under that lock.
bool finds(const locks::Lock& lock, GuestAddr returns_to);
// The same for a lock under which others wait on a longer path: the thread may complete what they
// wait for.
void may_complete(const locks::Lock& lock, GuestAddr returns_to);
// It does so if it signals the condition at which they wait; returns whether it does. `is_ordered`
// after those that wait: then it has found no turn.
bool signals(GuestAddr condition, bool is_ordered);
// The thread waits, so it has not found its turn under that lock;
void waits(const shadow::HookedCall& call, GuestAddr condition, GuestAddr lock);
// or it has released the lock, so it has, if there was a turn.
void released(GuestAddr lock);

u64 found(); // number of turns found
void forget_totals();

} // namespace turns
