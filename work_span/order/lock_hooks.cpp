#include "trace/call_events.hpp"
#include "trace/guest_registers.hpp"
#include "work_span/order/locks.hpp"
#include "work_span/order/spin_waits.hpp"

#include <utility>

namespace locks {
namespace {

using shadow::Hook;
using shadow::HookedCall;
using shadow::Thread;

constexpr const char* kRwlock = "rwlock";

// Notes an attempt to acquire the lock, which may be repeated. Returns whether it succeeded.
bool note_attempt(const HookedCall& call) {
  Thread& thread = *shadow::running();
  if (guest::result() != 0) {
    thread.lock.tried = call.arguments[0];
    return false;
  }
  if (std::exchange(thread.lock.tried, 0) == call.arguments[0])
    spin_waits::discard_wait(thread);
  return true;
}

template <const char* const& kKind> void acquired_if_successful(HookedCall& call) {
  if (note_attempt(call))
    acquired(call.arguments[0], kKind, call.caller, call.returns_to);
}

void shared_if_successful(HookedCall& call) {
  if (note_attempt(call))
    shadow::engine().acquire_shared(shadow::span(),
                                    lock_at(call.arguments[0], kRwlock, call.caller).span);
}

bool is_held_by_another(GuestAddr address) {
  const Lock* lock = held_at(address);
  return lock != nullptr && lock->owner != VG_(get_running_tid)();
}

// Another thread may acquire the lock before the call returns, so it is released on entry, unless
// the call may fail because another thread holds the lock.
void release_argument(HookedCall& call) {
  if (is_held_by_another(call.arguments[0]))
    call.kept = known_at(call.arguments[0]);
  else
    released(call.arguments[0]);
}
void release_if_successful(HookedCall& call) {
  if (call.kept != nullptr && guest::result() == 0 && is_held_by_another(call.arguments[0]))
    released(call.arguments[0]);
}
void unlock_rwlock(HookedCall& call) {
  Lock* lock = known_at(call.arguments[0]);
  if (lock != nullptr && lock->depth == 0)
    shadow::engine().release_shared(shadow::span(), lock->span);
  else
    released(call.arguments[0]);
}

void renew(HookedCall& call) { renewed(call.arguments[0]); }

// A lock that is held is kept.
void end(HookedCall& call) {
  const Lock* lock = known_at(call.arguments[0]);
  if (lock != nullptr && lock->depth == 0)
    renew(call);
}

// In glibc, pthread_spin_init and pthread_spin_unlock are the same routine, which stores the value
// of a free lock.
void release_or_renew(HookedCall& call) {
  (held_at(call.arguments[0]) != nullptr ? release_argument : renew)(call);
}

} // namespace

const Hook hooks[] = {
    {"pthread_mutex_lock", nullptr, acquired_if_successful<kMutex>},
    {"pthread_mutex_trylock", nullptr, acquired_if_successful<kMutex>},
    {"pthread_mutex_timedlock", nullptr, acquired_if_successful<kMutex>},
    {"pthread_mutex_clocklock", nullptr, acquired_if_successful<kMutex>},
    {"pthread_mutex_unlock", release_argument, release_if_successful},
    {"pthread_mutex_init", renew, nullptr},
    {"pthread_mutex_destroy", end, nullptr},
    {"pthread_spin_lock", nullptr, acquired_if_successful<kSpinlock>},
    {"pthread_spin_trylock", nullptr, acquired_if_successful<kSpinlock>},
    {"pthread_spin_unlock", release_or_renew, nullptr},
    {"pthread_spin_init", release_or_renew, nullptr},
    {"pthread_spin_destroy", end, nullptr},
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
    {"pthread_rwlock_destroy", end, nullptr},
    // C11's routines call these, but hooks of a run-time library's own calls do nothing.
    {"mtx_lock", nullptr, acquired_if_successful<kMutex>},
    {"mtx_trylock", nullptr, acquired_if_successful<kMutex>},
    {"mtx_timedlock", nullptr, acquired_if_successful<kMutex>},
    {"mtx_unlock", release_argument, release_if_successful},
    {"mtx_init", renew, nullptr},
    {"mtx_destroy", end, nullptr},
    {nullptr, nullptr, nullptr},
};

} // namespace locks
