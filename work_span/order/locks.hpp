// Locks of the C library and of OpenMP: the work under each, and the lock-serialised span.
//
// Locks order nothing in the span. In the lock-serialised span the critical sections of a lock
// follow each other as they did in this run; readers follow writers, but not each other.
//
// A lock is an address until it is initialised anew, destroyed or freed; where there were several
// locks one after the other, the latest is kept, and of those before the one that was held most.
#pragma once

#include "base/valgrind.hpp"
#include "base/vector.hpp"
#include "work_span/engine/work_span.hpp"
#include "work_span/order/lock_places.hpp"
#include "work_span/state/hooked_call.hpp"

namespace locks {

extern const shadow::Hook hooks[]; // of the C library, up to one without a name

// A condition that was signalled by who held a lock, and the longest path to that.
struct Signalled {
  GuestAddr condition = 0;
  Span path = 0;
};

struct Lock {
  GuestAddr address;
  const char* kind;   // docs/format-cilkshadow.md
  RoutineId first_by; // caller of the routine that acquired it first
  SpanLock span{};
  LockPlaces places{};
  ThreadId owner{};         // who holds it alone,
  u64 depth = 0;            // so many times; 0: nobody does
  GuestAddr woken_at = 0;   // the condition at which the owner was woken to get it; 0: it was not
  Signalled signalled[4]{}; // the longest paths to signals of what was changed under it
  Span waited = 0;          // the longest path to a wait at a condition under it
  Lock* former = nullptr;
};

// Stand for the address of a lock without a variable.
constexpr GuestAddr kUnnamedCritical = 1;
constexpr GuestAddr kAtomic = 2;

constexpr const char* kMutex = "mutex";

// The lock at an address. A new one is of this kind, and that routine's caller uses it first.
Lock& lock_at(GuestAddr address, const char* kind, RoutineId by);
Lock* known_at(GuestAddr address);      // null: nobody has used a lock there
const Lock* held_at(GuestAddr address); // null: nobody holds it alone

// By the running thread, as often as it likes; by a call that returned there, if that is known.
void acquired(GuestAddr address, const char* kind, RoutineId by, GuestAddr returned_to = 0);
void released(GuestAddr address);

// The running thread is about to wait at a condition, and to release the lock for that.
void waits(GuestAddr address);
// It has waited, and what it executes under the lock from here belongs to the same call as before.
void acquired_again(GuestAddr address, RoutineId by);
// The running thread was woken at a condition, and holds the lock since.
void woken(GuestAddr address, GuestAddr condition);
bool is_woken(GuestAddr address, GuestAddr condition);
// The running thread signals what it changed under this lock; 0: it is not known which, one of
// those that it holds, or else the latest that it acquired.
void signals(GuestAddr condition, GuestAddr mutex);

// A new lock begins, where there may have been another.
void renewed(GuestAddr address);
// Locks in this memory end.
void freed(GuestAddr begin, GuestAddr end);
extern u64 seen; // so many locks until now

// The lock that stands for tasks which exclude each other by an address; its totals.
Lock& of_tasks(GuestAddr address);
void take_totals(Lock& to, SpanLock& from);

const Vector<Lock*>& all();
inline bool was_held(const Lock& lock) { return lock.span.acquisitions > 0 || lock.span.held > 0; }
// Calls f(lock, number) for each that was held: those are numbered from 1.
template <typename F> void for_each_that_was_held(F f) {
  u32 number = 0;
  for (const Lock* lock : all())
    if (was_held(*lock))
      f(*lock, ++number);
}

// Numbers start from zero. Locks that are held stay so.
void forget_totals();

} // namespace locks
