#include "work_span/order/conditions.hpp"

#include "base/address_map.hpp"
#include "base/lazy.hpp"
#include "trace/guest_registers.hpp"
#include "work_span/order/condition_barrier.hpp"
#include "work_span/order/condition_queue.hpp"
#include "work_span/order/locks.hpp"
#include "work_span/order/spin_waits.hpp"
#include "work_span/order/turns.hpp"
#include "work_span/state/state.hpp"

namespace conditions {
namespace {

using shadow::HookedCall;

struct Condition {
  ConditionQueue queue;
  ConditionBarrier barrier;
  GuestAddr mutex = 0; // of the latest wait
};

Lazy<AddressMap<Condition*>> conditions{"cilkshadow.condition"};
u64 unseen = 0;

Condition& condition_of(const HookedCall& call) {
  Condition*& known = conditions->at(call.arguments[0]);
  if (known == nullptr)
    known = create<Condition>("cilkshadow.condition");
  return *known;
}

void forget(Condition& condition) {
  condition.queue.clear(shadow::paths());
  condition.barrier.clear(shadow::paths());
}

void signal(HookedCall& call, Condition& condition, bool is_last) {
  if (condition.queue.has_waiters())
    call.kept = reinterpret_cast<void*>(condition.queue.begin_signal(shadow::publish()));
  locks::signals(call.arguments[0],
                 condition.mutex); // threads that come later may find it signalled
  if (turns::signals(call.arguments[0], is_last))
    condition.barrier.found();
  condition.barrier.signals(shadow::paths(), VG_(get_running_tid)(),
                            !condition.queue.lacks_signals());
}

// Arguments: (condition)
void begin_signal(HookedCall& call) { signal(call, condition_of(call), false); }
void end_signal(HookedCall& call) {
  if (call.kept != nullptr)
    condition_of(call).queue.end_signal(shadow::paths(), reinterpret_cast<u64>(call.kept));
}
void begin_broadcast(HookedCall& call) {
  Condition& condition = condition_of(call);
  ConditionQueue& queue = condition.queue;
  const bool is_last =
      queue.lacks_signals() && condition.barrier.is_completed_by(VG_(get_running_tid)());
  if (is_last)
    shadow::observe_copy(condition.barrier.waiting());
  while (queue.lacks_signals())
    queue.signal(shadow::publish());
  signal(call, condition, is_last); // for one of those who begin to wait in the meantime
  if (queue.has_waiters() && locks::is_woken(condition.mutex, call.arguments[0]))
    queue.overtake(shadow::paths(), shadow::publish());
}

// Arguments: (condition, mutex, ...)
void begin_wait(HookedCall& call) {
  Condition& condition = condition_of(call);
  condition.mutex = call.arguments[1];
  if (locks::is_woken(call.arguments[1], call.arguments[0]))
    condition.barrier.found_turns();
  call.kept = reinterpret_cast<void*>(condition.queue.begin_wait());
  spin_waits::changes(call.arguments[1]);
  locks::waits(call.arguments[1]);
  turns::waits(call, call.arguments[0], call.arguments[1]);
  locks::released(call.arguments[1]);
  if (condition.barrier.is_known())
    condition.barrier.arrives(shadow::paths(), shadow::publish());
}
// The thread has the lock again once it has been woken: until then, others may have it.
void end_wait(HookedCall& call) {
  Condition& condition = condition_of(call);
  ConditionQueue& queue = condition.queue;
  const u64 waiter = reinterpret_cast<u64>(call.kept);
  if (call.left || guest::result() != 0) {
    queue.give_up(shadow::paths(), waiter);
    return locks::acquired_again(call.arguments[1], call.caller, 0);
  }
  condition.barrier.sees(VG_(get_running_tid)());
  const PathPoint overtaken = queue.overtaken(waiter);
  shadow::observe_copy(overtaken);
  if (PathPoint by = queue.wake(shadow::paths(), waiter); by.node != nullptr)
    shadow::observe(by);
  else
    unseen += overtaken.node == nullptr;
  locks::acquired_again(call.arguments[1], call.caller, call.arguments[0]);
}

// A new condition begins, possibly where another one was.
void init(HookedCall& call) {
  if (Condition** known = conditions->find(call.arguments[0]))
    forget(**known);
}
// Threads that were woken but have not continued yet are waited for.
void destroy(HookedCall& call) {
  Condition** known = conditions->find(call.arguments[0]);
  if (known != nullptr && (*known)->queue.lacks_signals())
    forget(**known);
}

} // namespace

const shadow::Hook hooks[] = {
    {"pthread_cond_wait", begin_wait, end_wait},
    {"pthread_cond_timedwait", begin_wait, end_wait},
    {"pthread_cond_clockwait", begin_wait, end_wait},
    {"pthread_cond_signal", begin_signal, end_signal},
    {"pthread_cond_broadcast", begin_broadcast, end_signal},
    {"pthread_cond_init", init, nullptr},
    {"pthread_cond_destroy", destroy, nullptr}, // no call initialises a std::condition_variable
    // C11's routines call these, but hooks of a run-time library's own calls do nothing.
    {"cnd_wait", begin_wait, end_wait},
    {"cnd_timedwait", begin_wait, end_wait},
    {"cnd_signal", begin_signal, end_signal},
    {"cnd_broadcast", begin_broadcast, end_signal},
    {"cnd_init", init, nullptr},
    {"cnd_destroy", destroy, nullptr},
    {nullptr, nullptr, nullptr},
};

u64 unseen_waits() { return unseen; }
void forget_totals() { unseen = 0; }

} // namespace conditions
