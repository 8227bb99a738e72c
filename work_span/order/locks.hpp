// Locks of the C library and of OpenMP: the work under each of them, and the lock-serialised span.
//
// Locks order nothing in the span. In the lock-serialised span, the critical sections of a lock
// follow each other in the order of this run; readers follow writers, but not each other.
//
// A lock is identified by its address until it is initialised anew, destroyed or freed. If there
// were several locks at an address, the latest is kept, and the one of those before it that was
// held most.
#pragma once

#include "base/valgrind.hpp"
#include "base/vector.hpp"
#include "work_span/engine/work_span.hpp"
#include "work_span/order/lock_places.hpp"
#include "work_span/state/hooked_call.hpp"

namespace locks {

extern const shadow::Hook hooks[]; // of the C library, up to one without a name

// Is told of each critical section that begins: work_counters::acquired. Set before the client
// starts.
extern void (*section_begins)(GuestAddr lock, GuestAddr returned_to);
// And of each that ends to wait at a condition: work_counters::waits. It begins again by a call at
// 0.
extern void (*section_waits)(GuestAddr lock);

// A condition that was signalled by a thread that held the lock, and the longest path to such a
// signal.
struct Signalled {
  GuestAddr condition = 0;
  Span path = 0;
};

struct Lock {
  GuestAddr address;
  const char* kind;   // docs/format-cilkshadow.md
  RoutineId first_by; // caller of the routine that first acquired it
  SpanLock span{};
  LockPlaces places{};
  ThreadId owner{};         // the thread that holds it exclusively,
  u64 depth = 0;            // and how many times; 0: none does
  GuestAddr woken_at = 0;   // the condition at which the owner was woken to get it; 0: it was not
  Signalled signalled[4]{}; // the longest paths to signals of what was changed under it
  Span waited = 0;          // the longest path to a wait at a condition under it
  Lock* former = nullptr;

  // Whether threads have signalled a condition under it, or right after.
  bool has_condition() const { return signalled[0].condition != 0; }
};

// These represent the addresses of locks without a variable.
constexpr GuestAddr kUnnamedCritical = 1;
constexpr GuestAddr kAtomic = 2;

constexpr const char* kMutex = "mutex";
constexpr const char* kSpinlock = "spinlock";

// Returns the lock at an address. A new one gets this kind, and the caller of `by` as its first
// user.
Lock& lock_at(GuestAddr address, const char* kind, RoutineId by);
Lock* known_at(GuestAddr address);      // null: nobody has used a lock there
const Lock* held_at(GuestAddr address); // null: nobody holds it exclusively

// By the running thread, any number of times; by a call with that return address, if known.
void acquired(GuestAddr address, const char* kind, RoutineId by, GuestAddr returned_to = 0);
void released(GuestAddr address);
// Whoever holds it does not release it, as it is none: the critical section ends here.
void abandoned(GuestAddr address);

// The running thread is about to wait at a condition, for which it releases the lock.
void waits(GuestAddr address);
// It has waited; `woken_at`: the condition at which a signal woke it, 0 if none did. What it
// executes under the lock from now on belongs to the same call as before.
void acquired_again(GuestAddr address, RoutineId by, GuestAddr woken_at);
// Whether the running thread was woken at the condition, and has held the lock since.
bool is_woken(GuestAddr address, GuestAddr condition);
// The running thread signals what it has changed under this lock. 0: unknown; either one of the
// locks that it holds, or the latest that it acquired.
void signals(GuestAddr condition, GuestAddr mutex);

// A new lock begins, possibly where another one was.
void renewed(GuestAddr address);
// Locks in this memory end.
void freed(GuestAddr begin, GuestAddr end);
extern u64 seen; // number of locks so far
// Calls f(address) for each of the `known` ones, by their addresses, that is in this memory, and
// possibly for other addresses in it. Takes as many steps as the fewer of both.
template <u64 kAlignment, typename T, typename F>
void for_each_within(GuestAddr begin, GuestAddr end, const Vector<T*>& known, F f) {
  const std::size_t count = known.size(); // f may add to it
  if ((end - begin) / kAlignment <= count) {
    for (GuestAddr address = begin; address < end; address += kAlignment)
      f(address);
    return;
  }
  for (std::size_t i = 0; i < count; i++)
    if (const GuestAddr address = known[i]->address; begin <= address && address < end)
      f(address);
}

// The lock that represents the mutual exclusion of tasks by an address, and its totals.
Lock& of_tasks(GuestAddr address);
void take_totals(Lock& to, SpanLock& from);

const Vector<Lock*>& all();
inline bool was_held(const Lock& lock) { return lock.span.acquisitions > 0 || lock.span.held > 0; }
// Calls f(lock, number) for each lock that was held, numbered from 1.
template <typename F> void for_each_that_was_held(F f) {
  u32 number = 0;
  for (const Lock* lock : all())
    if (was_held(*lock))
      f(*lock, ++number);
}

// Resets all numbers to zero. Locks that are held remain so.
void forget_totals();

} // namespace locks
