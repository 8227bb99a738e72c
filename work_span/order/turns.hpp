// Threads that take turns by a lock and a condition, where one finds its turn already come: it
// acquires the lock after another thread has signalled the condition, does not wait for the
// condition although its code can (code/wait_code.hpp), and so has no order from who signalled.
//
// A call that can wait is known by where it returns to. Which conditions it waits for is known of
// those at which some thread has waited, before or after; such a call has not found its turn at
// another condition that was signalled under the same lock.
//
// So it is with the last thread that comes to a barrier made of a lock and a condition: it does not
// wait where the others do, signals them, and has no order from their arrivals.
//
// Costs O(callers) where a lock was signalled, or waited under, on a longer path.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"
#include "work_span/order/locks.hpp"
#include "work_span/state/hooked_call.hpp"

namespace turns {

// Finds the calls that can wait, given where the latest calls return to: wait_code::waits_ahead.
// Set before the client starts.
extern const Vector<GuestAddr>& (*waits_ahead)(const Vector<GuestAddr>& returns);

// The running thread has acquired a lock that was signalled on a longer path, by a call that
// returned there. False: its code is not known to wait under that lock.
bool finds(const locks::Lock& lock, GuestAddr returns_to);
// The same of a lock under which others wait on a longer path: it may complete what they wait for.
void may_complete(const locks::Lock& lock, GuestAddr returns_to);
// It does if it signals the condition at which they wait.
void signals(GuestAddr condition);
// It waits, and has not found its turn under that lock;
void waits(const shadow::HookedCall& call, GuestAddr condition, GuestAddr lock);
// or has, if there was one.
void released(GuestAddr lock);

u64 found(); // so many turns
void forget_totals();

} // namespace turns
