#include "cilkshadow/locks.hpp"

#include "base/address_map.hpp"
#include "trace/guest_registers.hpp"

#include <utility>

namespace locks {
namespace {

using shadow::Hook;
using shadow::Hooked;

struct Table {
  Vector<Lock*> all{"cilkshadow.locks"};
  AddressMap<Lock*> by_address{"cilkshadow.locks"};
};

Table& table() {
  static Table* made;
  if (made == nullptr)
    made = create<Table>("cilkshadow.locks");
  return *made;
}

// Null: nobody has used it.
Lock* known_at(GuestAddr address) {
  Lock** known = table().by_address.find(address);
  return known == nullptr ? nullptr : *known;
}

Lock& lock_at(GuestAddr address, const char* kind, RoutineId by) {
  if (Lock* known = known_at(address))
    return *known;
  Lock* made = create<Lock>("cilkshadow.locks", Lock{address, kind, by});
  table().by_address.insert(address, made);
  return *table().all.push_back(made);
}

SpanThread& span() { return *shadow::running()->span; }

constexpr const char* kSpinlock = "spinlock";
constexpr const char* kRwlock = "rwlock";

template <const char* const& kKind> void acquired_if_successful(Hook& hook) {
  if (guest::result() == 0)
    acquired(hook.arguments[0], kKind, hook.caller);
}

void shared_if_successful(Hook& hook) {
  if (guest::result() == 0)
    shadow::engine().acquire_shared(span(), lock_at(hook.arguments[0], kRwlock, hook.caller).span);
}

void release_argument(Hook& hook) { released(hook.arguments[0]); }
void unlock_rwlock(Hook& hook) {
  Lock* lock = known_at(hook.arguments[0]);
  if (lock != nullptr && lock->depth == 0)
    shadow::engine().release_shared(span(), lock->span);
  else
    released(hook.arguments[0]);
}

void renew(Hook& hook) { renewed(hook.arguments[0]); }

// glibc has one routine by both names: it stores what a lock is that nobody holds.
void release_or_renew(Hook& hook) {
  const Lock* lock = known_at(hook.arguments[0]);
  (lock != nullptr && lock->depth > 0 ? release_argument : renew)(hook);
}

} // namespace

const Hooked hooks[] = {
    {"pthread_mutex_lock", nullptr, acquired_if_successful<kMutex>},
    {"pthread_mutex_trylock", nullptr, acquired_if_successful<kMutex>},
    {"pthread_mutex_timedlock", nullptr, acquired_if_successful<kMutex>},
    {"pthread_mutex_clocklock", nullptr, acquired_if_successful<kMutex>},
    {"pthread_mutex_unlock", release_argument, nullptr},
    {"pthread_mutex_init", renew, nullptr},
    {"pthread_spin_lock", nullptr, acquired_if_successful<kSpinlock>},
    {"pthread_spin_trylock", nullptr, acquired_if_successful<kSpinlock>},
    {"pthread_spin_unlock", release_or_renew, nullptr},
    {"pthread_spin_init", release_or_renew, nullptr},
    {"pthread_rwlock_wrlock", nullptr, acquired_if_successful<kRwlock>},
    {"pthread_rwlock_trywrlock", nullptr, acquired_if_successful<kRwlock>},
    {"pthread_rwlock_timedwrlock", nullptr, acquired_if_successful<kRwlock>},
    {"pthread_rwlock_clockwrlock", nullptr, acquired_if_successful<kRwlock>},
    {"pthread_rwlock_rdlock", nullptr, shared_if_successful},
    {"pthread_rwlock_tryrdlock", nullptr, shared_if_successful},
    {"pthread_rwlock_timedrdlock", nullptr, shared_if_successful},
    {"pthread_rwlock_clockrdlock", nullptr, shared_if_successful},
    {"pthread_rwlock_unlock", unlock_rwlock, nullptr},
    {"pthread_rwlock_init", renew, nullptr},
    // C11's: of the C library's calls below them nothing is asked.
    {"mtx_lock", nullptr, acquired_if_successful<kMutex>},
    {"mtx_trylock", nullptr, acquired_if_successful<kMutex>},
    {"mtx_timedlock", nullptr, acquired_if_successful<kMutex>},
    {"mtx_unlock", release_argument, nullptr},
    {"mtx_init", renew, nullptr},
    {nullptr, nullptr, nullptr},
};

void acquired(GuestAddr address, const char* kind, RoutineId by) {
  Lock& lock = lock_at(address, kind, by);
  const ThreadId thread = VG_(get_running_tid)();
  if (lock.depth > 0 && lock.owner == thread) {
    lock.depth++;
    return;
  }
  lock.owner = thread;
  lock.depth = 1;
  lock.woken_at = 0;
  shadow::engine().acquire(span(), lock.span);
}

void released(GuestAddr address) {
  Lock* lock = known_at(address);
  if (lock != nullptr && lock->depth > 0 && --lock->depth == 0)
    shadow::engine().release(span(), lock->span);
}

void woken(GuestAddr address, GuestAddr condition) {
  if (Lock* lock = known_at(address))
    lock->woken_at = condition;
}
bool is_woken(GuestAddr address, GuestAddr condition) {
  const Lock* lock = known_at(address);
  return lock != nullptr && lock->depth > 0 && lock->owner == VG_(get_running_tid)() &&
         lock->woken_at == condition;
}

void renewed(GuestAddr address) {
  Lock* lock = known_at(address);
  if (lock == nullptr)
    return;
  lock->span.released = lock->span.released_shared = 0;
  lock->depth = 0;
}

Lock& of_tasks(GuestAddr address) {
  const auto& frames = span().frames;
  return lock_at(address, "mutexinoutset",
                 frames.empty() ? RoutineId::none : frames.back().routine);
}

void take_totals(Lock& to, SpanLock& from) {
  to.span.held += std::exchange(from.held, 0);
  to.span.acquisitions += std::exchange(from.acquisitions, 0);
}

const Vector<Lock*>& all() { return table().all; }

void forget_totals() {
  for (Lock* lock : table().all)
    lock->span.acquired_at = lock->span.held = lock->span.acquisitions = 0;
}

} // namespace locks
