// Locks that a program makes of a std::atomic: a thread that finds zero in it, and leaves something
// else by the same instruction, has the lock until it stores or exchanges zero.
//
// An atomic is taken for a lock once this has happened kSure times. It is none if it is changed
// otherwise, as a counter is; but who waits for a known lock may mark it. A change from 1 to 0 that
// depends on the value may be a counter's. A store to one that nobody has begins another object at
// its address. Locks order nothing in the span, but waiting for one in a loop looks like waiting
// for what its holder did: so the changes of a lock are dropped.
#pragma once

#include "work_span/order/atomic_values.hpp"

namespace spin_locks {

// The running thread has changed it. Return whether it is a lock.
bool changed(AtomicValue& value, u64 bytes, u64 before, u64 after, bool is_exchange);
bool stored(AtomicValue& value);
// Locks in this memory end.
void freed(GuestAddr begin, GuestAddr end);

} // namespace spin_locks
