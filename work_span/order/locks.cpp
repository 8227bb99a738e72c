#include "work_span/order/locks.hpp"

#include "base/address_map.hpp"
#include "base/lazy.hpp"
#include "work_span/order/spin_waits.hpp"
#include "work_span/order/turns.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace locks {

u64 seen = 0;

namespace {

Lazy<Vector<Lock*>> every_lock{"cilkshadow.locks"};
Lazy<AddressMap<Lock*>> by_address{"cilkshadow.locks"};

bool is_held(GuestAddr address) { // by the running thread
  const Lock* lock = held_at(address);
  return lock != nullptr && lock->owner == VG_(get_running_tid)();
}

bool is_signalled_after(const Lock& lock, Span path) {
  return std::any_of(std::begin(lock.signalled), std::end(lock.signalled),
                     [&](const Signalled& signalled) { return signalled.path > path; });
}

// The running thread signals. If there are many conditions, those that were signalled on the
// longest paths are kept.
void signals_under(GuestAddr mutex, GuestAddr condition) {
  Lock* lock = known_at(mutex);
  if (lock == nullptr)
    return;
  spin_waits::changes(mutex);
  Signalled* const end = std::end(lock->signalled);
  Signalled* its = std::find_if(std::begin(lock->signalled), end, [&](const Signalled& known) {
    return known.condition == condition;
  });
  if (its == end)
    its =
        std::min_element(std::begin(lock->signalled), end,
                         [](const auto& one, const auto& other) { return one.path < other.path; });
  if (const Span path = shadow::span().path().lengths.span; its->path < path)
    *its = {condition, path};
}

// Returns whether the thread held it.
bool drop_held(shadow::Thread& thread, GuestAddr address) {
  Vector<GuestAddr>& held = thread.lock.held;
  GuestAddr* its = std::find(held.begin(), held.end(), address);
  if (its == held.end())
    return false;
  held.swap_remove(static_cast<std::size_t>(its - held.begin()));
  return true;
}

void end_section(Lock& lock, SpanThread& of) {
  const Work held_before = lock.span.held;
  shadow::engine().release(of, lock.span);
  lock.places.held(lock.span.held - held_before);
}

} // namespace

Lock* known_at(GuestAddr address) {
  Lock** known = by_address->find(address);
  return known == nullptr ? nullptr : *known;
}

Lock& lock_at(GuestAddr address, const char* kind, RoutineId by) {
  if (Lock* known = known_at(address)) {
    if (!was_held(*known)) {
      known->kind = kind;
      known->first_by = by;
    }
    return *known;
  }
  seen++;
  Lock* made = create<Lock>("cilkshadow.locks", Lock{address, kind, by});
  by_address->insert(address, made);
  return *every_lock->push_back(made);
}

const Lock* held_at(GuestAddr address) {
  const Lock* lock = known_at(address);
  return lock != nullptr && lock->depth > 0 ? lock : nullptr;
}

void (*section_begins)(GuestAddr lock, GuestAddr returned_to);
void (*section_waits)(GuestAddr lock);

namespace {

// Returns whether the thread did not hold it yet.
bool hold(Lock& lock, GuestAddr address, GuestAddr returned_to) {
  const ThreadId thread = VG_(get_running_tid)();
  if (lock.depth > 0 && lock.owner == thread) {
    lock.depth++;
    return false;
  }
  lock.owner = thread;
  lock.depth = 1;
  lock.woken_at = 0;
  lock.places.acquired_by(returned_to == 0 ? 0 : returned_to - 1);
  shadow::LockUse& use = shadow::running()->lock;
  use.acquired = address;
  if (std::find(use.held.begin(), use.held.end(), address) == use.held.end())
    use.held.push_back(address);
  section_begins(address, returned_to);
  shadow::engine().acquire(shadow::span(), lock.span);
  return true;
}

// Whether the thread finds what it would have waited for.
void find_turns(const Lock& lock, GuestAddr returned_to) {
  const Span path = shadow::span().path().lengths.span;
  if (is_signalled_after(lock, path)) {
    if (!turns::finds(lock, returned_to))
      spin_waits::finds(lock.address);
  } else if (lock.waited > path) {
    turns::may_complete(lock, returned_to);
  }
}

} // namespace

void acquired(GuestAddr address, const char* kind, RoutineId by, GuestAddr returned_to) {
  Lock& lock = lock_at(address, kind, by);
  if (hold(lock, address, returned_to))
    find_turns(lock, returned_to);
}

void released(GuestAddr address) {
  Lock* lock = known_at(address);
  if (lock == nullptr || lock->depth == 0 || --lock->depth > 0)
    return;
  drop_held(*shadow::running(), address);
  turns::released(address);
  end_section(*lock, shadow::span());
}

void abandoned(GuestAddr address) {
  Lock* lock = known_at(address);
  if (lock == nullptr || std::exchange(lock->depth, 0) == 0)
    return;
  shadow::Thread* owner = shadow::state->latest_of[lock->owner];
  if (owner != nullptr && drop_held(*owner, address))
    end_section(*lock, *owner->span);
}

void waits(GuestAddr address) {
  shadow::LockUse& use = shadow::running()->lock;
  use.waits_from = 0;
  if (Lock* lock = known_at(address)) {
    lock->waited = std::max(lock->waited, shadow::span().path().lengths.span);
    use.waits_from = lock->places.acquired_by();
  }
  section_waits(address);
}
void acquired_again(GuestAddr address, RoutineId by, GuestAddr woken_at) {
  Lock& lock = lock_at(address, kMutex, by);
  if (hold(lock, address, 0) && woken_at == 0)
    find_turns(lock, 0);
  lock.places.acquired_by(shadow::running()->lock.waits_from);
  if (woken_at != 0)
    lock.woken_at = woken_at;
}
bool is_woken(GuestAddr address, GuestAddr condition) {
  return is_held(address) && known_at(address)->woken_at == condition;
}

void signals(GuestAddr condition, GuestAddr mutex) {
  shadow::LockUse& use = shadow::running()->lock;
  if (mutex != 0)
    return signals_under(mutex, condition);
  for (std::size_t i = use.held.size(); i-- > 0;) // another thread may have released or renewed it
    if (!is_held(use.held[i]))
      use.held.swap_remove(i);
  for (const GuestAddr held : use.held)
    signals_under(held, condition);
  if (use.held.empty())
    signals_under(use.acquired, condition);
}

void freed(GuestAddr begin, GuestAddr end) {
  for_each_within<sizeof(u64)>(begin, end, *every_lock, renewed);
}

void renewed(GuestAddr address) {
  Lock* lock = known_at(address);
  if (lock == nullptr)
    return;
  Lock* former = std::exchange(lock->former, nullptr);
  if (was_held(*lock)) {
    if (former == nullptr)
      former = every_lock->push_back(create<Lock>("cilkshadow.locks", *lock));
    else if (former->span.held < lock->span.held)
      *former = *lock;
  }
  *lock =
      Lock{.address = address, .kind = lock->kind, .first_by = lock->first_by, .former = former};
}

Lock& of_tasks(GuestAddr address) {
  return lock_at(address, "mutexinoutset", shadow::routine_on_top());
}

void take_totals(Lock& to, SpanLock& from) {
  to.span.held += std::exchange(from.held, 0);
  to.span.acquisitions += std::exchange(from.acquisitions, 0);
}

const Vector<Lock*>& all() { return *every_lock; }

void forget_totals() {
  for (Lock* lock : *every_lock) {
    lock->span.acquired_at = lock->span.held = lock->span.acquisitions = 0;
    lock->places.forget_totals();
  }
}

} // namespace locks
