// Locks of the C library and of OpenMP. They order nothing in the span; in the lock-serialised one
// the critical sections of a lock follow each other as they did in this run, readers but not each
// other.
#pragma once

#include "base/valgrind.hpp"
#include "base/vector.hpp"
#include "work_span/engine/work_span.hpp"
#include "work_span/state/hook.hpp"

namespace locks {

extern const shadow::Hook hooks[]; // of the C library, up to one without a name

// Locks without a variable, by what stands for their address.
constexpr GuestAddr kUnnamedCritical = 1;
constexpr GuestAddr kAtomic = 2;

constexpr const char* kMutex = "mutex";

// By the running thread, as often as it likes.
void acquired(GuestAddr address, const char* kind, RoutineId by);
void released(GuestAddr address);
// It has been woken there, and has the lock since.
void woken(GuestAddr address, GuestAddr condition);
bool is_woken(GuestAddr address, GuestAddr condition);
// The running thread signals what it has changed with this lock; with zero, with the one it
// acquired last.
void signals(GuestAddr address);
// A new one begins, where there may have been another.
void renewed(GuestAddr address);

// Locks end with the memory that they are in.
void freed(GuestAddr begin, GuestAddr end);
extern u64 seen; // so many locks until now

// Of those that were at an address one after the other there are the latest, and, of those before,
// the one that was held most.
struct Lock {
  GuestAddr address;
  const char* kind;
  RoutineId first_by; // caller of the routine that acquired it first
  SpanLock span{};
  ThreadId owner{}; // who has it alone,
  u64 depth = 0;    // so many times; 0: nobody
  GuestAddr woken_at = 0;
  Span signalled = 0; // the longest way to a signal of what was changed with it
  Lock* former = nullptr;
};

// What has the totals of tasks that exclude each other by an address.
Lock& of_tasks(GuestAddr address);
void take_totals(Lock& to, SpanLock& from);

const Vector<Lock*>& all();
inline bool was_held(const Lock& lock) { return lock.span.acquisitions > 0 || lock.span.held > 0; }

// Of locks that are held, what is executed from here on counts.
void forget_totals();

} // namespace locks
