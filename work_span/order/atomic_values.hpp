// The std::atomics of the program, by address: the positions of all threads that have changed one
// since it was last stored to, or created.
//
// A thread may wait for a change that came before anybody was known to wait there. So the latest
// changes by the program are kept, whatever they change, in a table of 1024 addresses; atomics that
// threads have waited for are kept for good. Costs O(1) per change.
#pragma once

#include "base/valgrind.hpp"
#include "work_span/order/semaphore_queue.hpp"
#include "work_span/state/state.hpp"

// Whether it is used as a lock (spin_locks.hpp).
struct AtomicUse {
  ThreadId taker = VG_INVALID_THREADID; // has changed it from zero, and not stored to it since
  u8 cycles = 0;
  bool is_exchanged = false; // in vain, as by who waits for a lock
  bool is_lock = false;
  bool is_none = false; // certainly
};

struct AtomicValue {
  GuestAddr address = 0;
  PathPoint changes{}; // all changes since the latest store, or since it was created
  u64 last = 0;        // the value after the latest change
  bool has_last = false;
  bool lacks_changes = false; // possibly, because another address took its place in the table
  SemaphoreQueue posts{};     // of a std::counting_semaphore
  AtomicUse use{};
  bool was_lock = false; // once, at this address
  // If threads wait here: the handler of the latest change; null: atomic_waits::changed.
  void (*changed)(GuestAddr address, u64 bytes, u64 before, u64 after) = nullptr;
};

namespace atomic_values {

AtomicValue& at(GuestAddr address);
// The same of an atomic that is changed, if other threads may come after that; null if there is
// only one thread.
AtomicValue* shared_at(GuestAddr address);
// The same if threads wait or meet here: it is kept from now on.
AtomicValue& awaited_at(GuestAddr address);
AtomicValue* find_awaited(GuestAddr address); // null: nobody has waited there
// Null if nobody is known to have changed it.
const PathPoint* changes_of(GuestAddr address);

// The running thread stores to it: threads that read the value come after this thread.
void store(AtomicValue& value);
// The running thread changes a value that it has read. If this `begins` a new object at the
// address, earlier changes are dropped.
void change(AtomicValue& value, bool begins);

} // namespace atomic_values
