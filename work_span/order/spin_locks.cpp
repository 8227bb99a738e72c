#include "work_span/order/spin_locks.hpp"

#include "base/lazy.hpp"
#include "work_span/order/locks.hpp"
#include "work_span/order/spin_waits.hpp"

#include <utility>

namespace spin_locks {
namespace {

// Times that it was taken and released. A flag that hands something over is not stored to by who
// has set it; one that claims something for good is not released.
constexpr u8 kSure = 4;

Lazy<Vector<AtomicValue*>> locks_so_far{"cilkshadow.locks"};

void become_lock(GuestAddr address) {
  AtomicValue& value = atomic_values::awaited_at(address);
  value.use.is_lock = true;
  if (!std::exchange(value.was_lock, true))
    locks_so_far->push_back(&value);
  shadow::paths().drop(value.changes);
  value.lacks_changes = false;
}

void acquired(const AtomicValue& value) {
  shadow::account();
  spin_waits::discard_wait(*shadow::running());
  locks::acquired(value.address, locks::kSpinlock, shadow::routine_on_top(),
                  VG_(get_IP)(VG_(get_running_tid)()) + 1);
}

void become_none(AtomicValue& value) {
  value.use.is_none = true;
  if (!std::exchange(value.use.is_lock, false))
    return;
  shadow::account();
  locks::abandoned(value.address);
}

void forget(AtomicValue& value) {
  value.use = {};
  locks::renewed(value.address);
}

} // namespace

bool changed(AtomicValue& value, u64 bytes, u64 before, u64 after, bool is_exchange) {
  AtomicUse& use = value.use;
  const ThreadId thread = VG_(get_running_tid)();
  if (before == after) {
    use.is_exchanged |= after != 0;
    return use.is_lock;
  }
  if (after == 0 && use.taker == thread) {
    if (use.is_lock || use.is_exchanged || is_exchange || bytes == 1 || before != 1)
      return stored(value);
    use.taker = VG_INVALID_THREADID; // of a counter, it may be no release
    return false;
  }
  const bool is_taken = use.taker != VG_INVALID_THREADID;
  if (use.is_lock && is_taken && before != 0 && after != 0)
    return true; // it tells the owner that others wait
  if (is_taken || before != 0) {
    become_none(value);
    return false;
  }
  use.taker = thread;
  if (use.is_lock)
    acquired(value);
  return use.is_lock;
}

bool stored(AtomicValue& value) {
  AtomicUse& use = value.use;
  if (use.taker != VG_INVALID_THREADID && use.taker != VG_(get_running_tid)()) {
    become_none(value);
    return false;
  }
  const bool by_taker = std::exchange(use.taker, VG_INVALID_THREADID) != VG_INVALID_THREADID;
  if (use.is_lock && !by_taker) { // another object begins at the address
    forget(value);
  } else if (use.is_lock) {
    shadow::account();
    locks::released(value.address);
  } else if (by_taker && !use.is_none && ++use.cycles == kSure) {
    become_lock(value.address);
    return true;
  }
  return use.is_lock;
}

void freed(GuestAddr begin, GuestAddr end) {
  locks::for_each_within<1>(begin, end, *locks_so_far, [](GuestAddr address) {
    if (AtomicValue* value = atomic_values::find_awaited(address))
      forget(*value);
  });
}

} // namespace spin_locks
