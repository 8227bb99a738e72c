#include "work_span/order/thread_edges.hpp"

#include "base/address_map.hpp"
#include "base/lazy.hpp"
#include "base/valgrind.hpp"
#include "trace/channel_events.hpp"
#include "trace/futex_events.hpp"
#include "trace/guest_registers.hpp"
#include "work_span/order/atomic_waits.hpp"
#include "work_span/order/spin_waits.hpp"
#include "work_span/state/state.hpp"

#include <utility>

namespace thread_edges {
namespace {

using shadow::Hook;
using shadow::HookedCall;
using shadow::observe_copy;
using shadow::paths;
using shadow::publish;

// By address: the latest position of all threads that have released there so far.
Lazy<AddressMap<PathPoint>> released{"cilkshadow.objects"};
u64 unseen = 0;

} // namespace

void release(u64 address) { paths().gather(released->at(address), publish()); }
void acquire(u64 address) { observe_copy(released->at(address)); }

namespace {

// Threads

// By pthread_t, which a later thread may have in common with one that has ended.
struct Joinable {
  ThreadIndex client{};
  SpanThread* ended = nullptr; // until it is joined
};
Lazy<AddressMap<Joinable>> joinable{"cilkshadow.joinable"};

void join_if_successful(HookedCall& call) {
  Joinable* thread = joinable->find(call.arguments[0]);
  if (guest::result() == 0 && thread != nullptr && thread->ended != nullptr)
    shadow::engine().join_thread(shadow::span(), std::exchange(thread->ended, nullptr));
}

// libstdc++ notifies within the C library's code for the end of the thread, where hooks do nothing
// otherwise.
void notify_at_exit(HookedCall&) { shadow::running()->pthread.notifies_at_exit = true; }

// Barriers

struct Barrier {
  u64 needed = 0;
  u64 arrived = 0;
  PathPoint gathering{}; // threads that have arrived
  PathPoint complete{};  // in the previous round
};
Lazy<AddressMap<Barrier>> barriers{"cilkshadow.objects"};

// Arguments: (barrier, attributes, count)
void init_barrier(HookedCall& call) {
  barriers->at(call.arguments[0]).needed = static_cast<u32>(call.arguments[2]);
}
// All waiting threads return before the next round is complete.
void arrive(HookedCall& call) {
  Barrier& barrier = barriers->at(call.arguments[0]);
  paths().gather(barrier.gathering, publish());
  if (++barrier.arrived < barrier.needed)
    return;
  barrier.arrived = 0;
  paths().drop(barrier.complete);
  barrier.complete = std::exchange(barrier.gathering, {});
}
void leave(HookedCall& call) { observe_copy(barriers->at(call.arguments[0]).complete); }

// Once

Lazy<AddressMap<PathPoint>> done{"cilkshadow.objects"}; // by the address of the control variable

// A control variable that says "not begun" is a new one, possibly where another one was.
void begin_once(HookedCall& call) {
  PathPoint* known = done->find(call.arguments[0]); // it was called before, so the address is valid
  if (known != nullptr && *reinterpret_cast<const int*>(call.arguments[0]) == 0)
    paths().drop(*known);
}
void end_once(HookedCall& call) {
  PathPoint& by = done->at(call.arguments[0]);
  if (by.node == nullptr)
    by = publish();
  else
    observe_copy(by);
}

} // namespace

const Hook hooks[] = {
    {"pthread_create", nullptr, nullptr},
    {"thrd_create", nullptr, nullptr},
    {"pthread_join", nullptr, join_if_successful},
    {"pthread_tryjoin_np", nullptr, join_if_successful},
    {"pthread_timedjoin_np", nullptr, join_if_successful},
    {"pthread_clockjoin_np", nullptr, join_if_successful},
    {"thrd_join", nullptr, join_if_successful},
    {"pthread_barrier_init", init_barrier, nullptr},
    {"pthread_barrier_wait", arrive, leave},
    {"pthread_once", begin_once, end_once},
    {"call_once", begin_once, end_once},
    {nullptr, nullptr, nullptr},
};

const Hook hooks_of_cxx[] = {
    {"std::notify_all_at_thread_exit*", notify_at_exit, nullptr},
    {nullptr, nullptr, nullptr},
};

void begins(shadow::Thread& thread) {
  thread.pthread.self = guest::thread_pointer();
  Joinable& known = joinable->at(thread.pthread.self);
  if (known.client != thread.client)
    known = {thread.client};
}

void keep_ended(shadow::Thread& thread) {
  Joinable* known = thread.pthread.begun ? joinable->find(thread.pthread.self) : nullptr;
  if (known != nullptr && known->client == thread.client && known->ended == nullptr)
    known->ended = thread.span;
}

namespace {

// Futexes

u32 command_of(u64 operation) {
  constexpr u32 kFlags = VKI_FUTEX_PRIVATE_FLAG | VKI_FUTEX_CLOCK_REALTIME;
  return static_cast<u32>(operation) & ~kFlags;
}
bool waits(u64 operation) {
  const u32 command = command_of(operation);
  return command == VKI_FUTEX_WAIT || command == VKI_FUTEX_WAIT_BITSET;
}
bool wakes(u64 operation) {
  const u32 command = command_of(operation);
  return command == VKI_FUTEX_WAKE || command == VKI_FUTEX_WAKE_BITSET;
}
// Whether a hooked routine, or a library that hooks understand, orders what the thread waits for.
bool is_in_library() {
  const shadow::Thread* thread = shadow::running();
  return thread == nullptr || thread->is_hidden();
}

void before_futex(GuestAddr address, u64 operation) {
  if (waits(operation))
    atomic_waits::yields();
  if (!wakes(operation) || is_in_library())
    return;
  shadow::account();
  release(address);
}

void after_futex(GuestAddr address, u64 operation, bool woken) {
  if (!waits(operation) || is_in_library() || atomic_waits::knows(address))
    return;
  shadow::account();
  const PathPoint& by = released->at(address);
  if (by.node != nullptr)
    observe_copy(by);
  else
    unseen += woken;
}

void gives_way(bool sleeps) {
  if (sleeps)
    return spin_waits::sleeps();
  atomic_waits::yields();
  spin_waits::yields();
}

// Channels

void before_sending(u64 channel) {
  if (shadow::running() == nullptr)
    return;
  shadow::account();
  release(channel);
}

void after_receiving(u64 channel) {
  if (shadow::running() == nullptr)
    return;
  shadow::account();
  acquire(channel);
}

void forget_channel(u64 channel) {
  if (PathPoint* known = released->find(channel)) {
    paths().drop(*known);
    released->remove(channel);
  }
}

} // namespace

void listen() {
  futex_events::listen(before_futex, after_futex, gives_way);
  channel_events::listen(before_sending, after_receiving, forget_channel);
}

u64 unseen_waits() { return unseen; }
void forget_totals() { unseen = 0; }

} // namespace thread_edges
