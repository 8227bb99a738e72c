// Bounded queues of oneTBB (concurrent_bounded_queue), most of which is in the program: each push
// and pop has a ticket, with which it notifies libtbb when it is done. The pop of a ticket comes
// after its push. A push comes after the beginning of the pop that made room for it; how much room
// there is becomes known when a push waits for it. The beginning of a pop that does not wait is
// seen at its end: what has gone on in between is counted as not understood.
#include "base/address_map.hpp"
#include "base/lazy.hpp"
#include "work_span/runtimes/onetbb.hpp"
#include "work_span/runtimes/runtimes.hpp"
#include "work_span/runtimes/tickets.hpp"
#include "work_span/state/state.hpp"

#include <utility>

namespace onetbb {

using shadow::Hook;
using shadow::HookedCall;

namespace {

struct Queue {
  Tickets pushes; // by ticket
  Tickets pops{4096};
  u64 capacity = 0; // 0: not known
};

Lazy<AddressMap<Queue*>> queues{"cilkshadow.tbb"}; // by the address of its monitors; null: gone
Lazy<AddressMap<u64>> awaited{"cilkshadow.tbb"};   // by thread: 1 + the ticket that makes room

constexpr u64 kSlots = 0, kItems = 1; // enum monitor_tag

Queue& queue_at(GuestAddr monitors) {
  Queue*& known = queues->at(monitors);
  if (known == nullptr)
    known = create<Queue>("cilkshadow.tbb");
  return *known;
}

u64& awaited_by(shadow::Thread& thread) { return awaited->at(reinterpret_cast<u64>(&thread)); }

void come_after(PathPoint point) {
  if (point.node == nullptr) {
    not_understood().callbacks++;
    return;
  }
  shadow::observe(point);
  shadow::paths().drop(point);
}

// Arguments: (monitors, what is available, ticket)
void notify(HookedCall& call) {
  Queue& queue = queue_at(call.arguments[0]);
  const u64 ticket = call.arguments[2];
  if (call.arguments[1] == kSlots) {
    come_after(queue.pushes.take(ticket));
    queue.pops.put(ticket, shadow::publish());
    return;
  }
  if (const u64 room = std::exchange(awaited_by(*shadow::running()), 0))
    queue.capacity = ticket - (room - 1);
  if (queue.capacity != 0 && ticket >= queue.capacity)
    come_after(queue.pops.take(ticket - queue.capacity));
  queue.pushes.put(ticket, shadow::publish());
}

// Arguments: (monitors, what is to be available, ticket, condition)
void begin_wait(HookedCall& call) {
  if (call.arguments[1] == kSlots)
    awaited_by(*shadow::running()) = call.arguments[2] + 1;
  else
    queue_at(call.arguments[0]).pops.put(call.arguments[2], shadow::publish());
}

bool no_task(HookedCall&, shadow::Thread&, RoutineId) { return false; }

// Arguments: (memory, size). The monitors follow the queue's memory.
void forget_queue(HookedCall& call) {
  Queue** known = queues->find(call.arguments[0] + call.arguments[1]);
  if (known == nullptr || *known == nullptr)
    return;
  shadow::account();
  destroy(std::exchange(*known, nullptr));
}

} // namespace

const Hook queue_hooks[] = {
    {"tbb::detail::r1::notify_bounded_queue_monitor(*", notify, nullptr},
    {"tbb::detail::r1::wait_bounded_queue_monitor(*", begin_wait, nullptr, no_task},
    {"tbb::detail::r1::deallocate_bounded_queue_rep(*", forget_queue, nullptr},
    {nullptr, nullptr, nullptr},
};

} // namespace onetbb
