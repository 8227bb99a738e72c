// Bounded queues of oneTBB (concurrent_bounded_queue), most of which is in the program: each push
// and pop has a ticket, with which it notifies libtbb when it is done. The pop of a ticket comes
// after its push. A push comes after the beginning of the pop that made room for it. How much room
// there is, is read from the queue, to which a register or the top of the stack points when it
// notifies libtbb, or becomes known when a push waits. The beginning of a pop that does not wait is
// seen at its end: what has gone on in between is counted as not understood.
#include "base/address_map.hpp"
#include "base/lazy.hpp"
#include "trace/guest_registers.hpp"
#include "work_span/runtimes/onetbb.hpp"
#include "work_span/runtimes/runtimes.hpp"
#include "work_span/runtimes/tickets.hpp"
#include "work_span/state/state.hpp"

#include <utility>

namespace onetbb {

using shadow::Hook;
using shadow::HookedCall;

namespace {

// clear() makes tickets count from 0 again, and calls no routine.
struct Queue {
  Tickets pushes; // by ticket
  Tickets pops{4096};
  bool has_begun = false; // there was a push of ticket 0 since the queue was made or cleared
  u64 capacity = 0;       // 0: not known
  GuestAddr address = 0;  // likewise
  u32 misses = 0;         // pushes that have looked for it in vain

  void forget_tickets() {
    pushes.drop_all();
    pops.drop_all();
  }
};

Lazy<AddressMap<Queue*>> queues{"cilkshadow.tbb"}; // by the address of its monitors; null: gone

constexpr u64 kSlots = 0; // of enum monitor_tag: waits for room, not for items

Queue& queue_at(GuestAddr monitors) {
  Queue*& known = queues->at(monitors);
  if (known == nullptr)
    known = create<Queue>("cilkshadow.tbb");
  return *known;
}

// A concurrent_bounded_queue as it is in memory.
struct QueueInMemory {
  u64 allocator;
  i64 capacity;
  u64 aborts;
  GuestAddr items;
  GuestAddr monitors;
};

// Null if there is none. The monitors are in the same piece of memory as the items, behind them.
const QueueInMemory* queue_in_memory(GuestAddr address, GuestAddr monitors) {
  constexpr u64 kMostOfItems = 4096;
  if (address % alignof(QueueInMemory) != 0 ||
      !VG_(am_is_valid_for_client)(address, sizeof(QueueInMemory), VKI_PROT_READ))
    return nullptr;
  const auto* found = reinterpret_cast<const QueueInMemory*>(address);
  const bool is_one = found->monitors == monitors && found->items < monitors &&
                      monitors - found->items <= kMostOfItems && found->capacity > 0;
  return is_one ? found : nullptr;
}

// Returns a queue that a register or the top of the stack points to; null: none does.
const QueueInMemory* find_queue(GuestAddr monitors) {
  constexpr std::size_t kRegisters[] = {
      offsetof(VexGuestAMD64State, guest_RBX), offsetof(VexGuestAMD64State, guest_RBP),
      offsetof(VexGuestAMD64State, guest_R12), offsetof(VexGuestAMD64State, guest_R13),
      offsetof(VexGuestAMD64State, guest_R14), offsetof(VexGuestAMD64State, guest_R15),
      offsetof(VexGuestAMD64State, guest_RAX), offsetof(VexGuestAMD64State, guest_RCX)};
  for (const std::size_t offset : kRegisters)
    if (const QueueInMemory* found = queue_in_memory(guest::get(offset), monitors))
      return found;
  constexpr u64 kWords = 64; // of a frame of code that was not optimised
  if (VG_(am_is_valid_for_client)(guest::stack_pointer(), kWords * sizeof(u64), VKI_PROT_READ))
    for (u64 i = 0; i < kWords; i++)
      if (const QueueInMemory* found = queue_in_memory(guest::stack()[i], monitors))
        return found;
  return nullptr;
}

// The program may change the capacity at any time.
void know_capacity(Queue& queue, GuestAddr monitors) {
  // Where the queue is found depends on the code that pushes, and few places push to one queue.
  constexpr u32 kMostMisses = 64;
  const QueueInMemory* known = queue_in_memory(queue.address, monitors);
  if (known == nullptr && queue.misses < kMostMisses) {
    known = find_queue(monitors);
    queue.address = reinterpret_cast<GuestAddr>(known);
    queue.misses += known == nullptr;
  }
  if (known != nullptr)
    queue.capacity = static_cast<u64>(known->capacity);
}

void come_after(PathPoint point) {
  if (point.node == nullptr) {
    not_understood().callbacks++;
    return;
  }
  shadow::observe(point);
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
  if (ticket == 0 && std::exchange(queue.has_begun, true))
    queue.forget_tickets();
  if (const u64 room = std::exchange(shadow::running()->awaited_ticket, 0))
    queue.capacity = ticket - (room - 1);
  know_capacity(queue, call.arguments[0]);
  not_understood().pushes += queue.capacity == 0;
  if (queue.capacity != 0 && ticket >= queue.capacity)
    come_after(queue.pops.take(ticket - queue.capacity));
  queue.pushes.put(ticket, shadow::publish());
}

// Arguments: (monitors, what is to be available, ticket, condition)
void begin_wait(HookedCall& call) {
  if (call.arguments[1] == kSlots)
    shadow::running()->awaited_ticket = call.arguments[2] + 1;
  else
    queue_at(call.arguments[0]).pops.put(call.arguments[2], shadow::publish());
}

// abort() ends a wait by an exception; the push has no notification then.
void end_wait(HookedCall& call) {
  if (call.left)
    shadow::running()->awaited_ticket = 0;
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
    {"tbb::detail::r1::wait_bounded_queue_monitor(*", begin_wait, end_wait, no_task},
    {"tbb::detail::r1::deallocate_bounded_queue_rep(*", forget_queue, nullptr},
    {nullptr, nullptr, nullptr},
};

} // namespace onetbb
