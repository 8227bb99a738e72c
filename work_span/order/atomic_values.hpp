// The std::atomics of the program, by address: where all were who changed one since it was stored
// to, or begun.
//
// A thread may wait for a change that came before anybody was known to wait there. So the latest
// changes of the program are kept, whatever they are of, in a table of 1024 addresses; what threads
// wait for is kept for good. Costs O(1) for each change.
#pragma once

#include "work_span/order/semaphore_queue.hpp"
#include "work_span/state/state.hpp"

struct AtomicValue {
  GuestAddr address = 0;
  PathPoint changes{}; // all since the latest store, or since it began
  u64 last = 0;        // the value after the latest change,
  bool has_last = false;
  bool lacks_changes = false; // perhaps: another address had its place in the table
  SemaphoreQueue posts{};     // of a std::counting_semaphore
  // Who was told of the latest change, where threads wait; null: atomic_waits::changed.
  void (*changed)(GuestAddr address, u64 bytes, u64 before, u64 after) = nullptr;
};

namespace atomic_values {

AtomicValue& at(GuestAddr address);
// The same where threads wait or meet: it is kept from now on.
AtomicValue& awaited_at(GuestAddr address);
AtomicValue* find_awaited(GuestAddr address); // null: nobody has waited there
// Null: nobody is known to have changed it.
const PathPoint* changes_of(GuestAddr address);

// The running thread stores, and who reads that comes after it. Null: it is the program's only one.
AtomicValue* store(GuestAddr address);
// The running thread changes a value that it has read. If that `begins` another object, where one
// was before, earlier changes are forgotten.
void change(AtomicValue& value, bool begins);

} // namespace atomic_values
