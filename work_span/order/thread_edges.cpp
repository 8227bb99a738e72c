#include "work_span/order/thread_edges.hpp"

#include "base/address_map.hpp"
#include "base/lazy.hpp"
#include "trace/call_events.hpp"
#include "trace/channel_events.hpp"
#include "trace/futex_events.hpp"
#include "trace/guest_registers.hpp"
#include "work_span/order/atomic_waits.hpp"
#include "work_span/order/locks.hpp"
#include "work_span/order/posts.hpp"
#include "work_span/order/spin_waits.hpp"
#include "work_span/order/wake_ups.hpp"

#include <utility>

namespace thread_edges {
namespace {

using shadow::Hook;
using shadow::HookedCall;

// What threads wait at, by its address.
struct Object {
  PathPoint signalled; // all so far, the latest of it
  Posts posts;         // of a semaphore
  u64 opened = 0;      // by name, so often
  WakeUps wake_ups;    // of a condition,
  GuestAddr mutex = 0; // with this
  u64 needed = 0;      // of a barrier
  u64 arrived = 0;
  PathPoint gathering;
};

Lazy<AddressMap<Object*>> objects{"cilkshadow.objects"};
u64 unseen = 0;

// Null: nobody has used it.
Object* known_at(GuestAddr address) {
  Object** known = objects->find(address);
  return known == nullptr ? nullptr : *known;
}

Object& object_at(GuestAddr address) {
  if (Object* known = known_at(address))
    return *known;
  return *objects->insert(address, create<Object>("cilkshadow.objects"));
}

SpanThread& span() { return *shadow::running()->span; }
Paths& paths() { return shadow::engine().paths(); }
PathPoint publish() { return shadow::engine().publish(span()); }

} // namespace

void signal(GuestAddr address) { paths().gather(object_at(address).signalled, publish()); }
void observe_signalled(GuestAddr address) {
  shadow::engine().observe_copy(span(), object_at(address).signalled);
}

namespace {

// Threads by pthread_t, which those that have ended may share with a later one.

struct Joinable {
  ThreadIndex thread;
  SpanThread* ended = nullptr;
};
Lazy<AddressMap<Joinable>> joinable{"cilkshadow.joinable"};

void join(u64 pthread) {
  Joinable* thread = joinable->find(pthread);
  if (thread == nullptr || thread->ended == nullptr)
    return;
  shadow::engine().join_thread(span(), std::exchange(thread->ended, nullptr));
}

void join_if_successful(HookedCall& call) {
  if (guest::result() == 0)
    join(call.arguments[0]);
}

// Conditions

void begin_signal(HookedCall& call) {
  Object& object = object_at(call.arguments[0]);
  if (object.wake_ups.has_waiters())
    call.kept = reinterpret_cast<void*>(object.wake_ups.begin_signal(publish()));
  locks::signals(object.mutex); // who comes later may find it true
}
void end_signal(HookedCall& call) {
  if (call.kept != nullptr)
    object_at(call.arguments[0]).wake_ups.end_signal(paths(), reinterpret_cast<u64>(call.kept));
}
void begin_broadcast(HookedCall& call) {
  Object& object = object_at(call.arguments[0]);
  WakeUps& condition = object.wake_ups;
  while (condition.anybody_waits())
    condition.push(publish());
  begin_signal(call); // of those who begin to wait meanwhile, for one
  if (condition.has_waiters() && locks::is_woken(object.mutex, call.arguments[0]))
    condition.overtake(paths(), publish());
}

void begin_wait(HookedCall& call) {
  Object& object = object_at(call.arguments[0]);
  object.mutex = call.arguments[1];
  call.kept = reinterpret_cast<void*>(object.wake_ups.begin_wait());
  spin_waits::changes(call.arguments[1]);
  locks::released(call.arguments[1]);
}
void end_wait(HookedCall& call) {
  locks::acquired(call.arguments[1], locks::kMutex, call.caller);
  WakeUps& condition = object_at(call.arguments[0]).wake_ups;
  const u64 waiter = reinterpret_cast<u64>(call.kept);
  if (call.left || guest::result() != 0)
    return condition.gave_up(paths(), waiter);
  locks::woken(call.arguments[1], call.arguments[0]);
  const PathPoint overtaken = condition.overtaken(waiter);
  shadow::engine().observe_copy(span(), overtaken);
  if (PathPoint by = condition.woken(paths(), waiter); by.node != nullptr)
    shadow::engine().observe(span(), by);
  else
    unseen += overtaken.node == nullptr;
}

// libstdc++ does so below the C library's end of the thread, where nothing is hooked otherwise.
void notify_at_end(HookedCall&) { shadow::running()->pthread.notifies_at_exit = true; }

// A new one begins, where there may have been another.
void renew_condition(HookedCall& call) {
  if (Object* condition = known_at(call.arguments[0]))
    condition->wake_ups.clear(paths());
}
// Who has been woken, but not gone on, is waited for.
void destroy_condition(HookedCall& call) {
  Object* condition = known_at(call.arguments[0]);
  if (condition != nullptr && condition->wake_ups.anybody_waits())
    condition->wake_ups.clear(paths());
}

void begin_semaphore(GuestAddr address, u64 granted) {
  object_at(address).posts.begin(paths(), granted);
}
void init_semaphore(HookedCall& call) {
  begin_semaphore(call.arguments[0], static_cast<u32>(call.arguments[2]));
}
void open_semaphore(HookedCall&) {
  const GuestAddr semaphore = guest::result();
  if (semaphore != 0 && object_at(semaphore).opened++ == 0)
    begin_semaphore(semaphore, *reinterpret_cast<const u32*>(semaphore)); // its value comes first
}
// Closed as often as opened, it gives way to others.
void close_semaphore(HookedCall& call) {
  Object* semaphore = known_at(call.arguments[0]);
  if (semaphore != nullptr && semaphore->opened > 0)
    semaphore->opened--;
}
void post(HookedCall& call) { object_at(call.arguments[0]).posts.push(publish()); }
void waited(HookedCall& call) {
  Object& object = object_at(call.arguments[0]);
  if (guest::result() != 0 || object.posts.empty())
    return;
  if (PathPoint post = object.posts.take(); post.node != nullptr)
    shadow::engine().observe(span(), post);
}

void init_barrier(HookedCall& call) {
  object_at(call.arguments[0]).needed = static_cast<u32>(call.arguments[2]);
}
// Whoever waits has returned before the next round is complete.
void arrive(HookedCall& call) {
  Object& object = object_at(call.arguments[0]);
  paths().gather(object.gathering, publish());
  if (++object.arrived < object.needed)
    return;
  object.arrived = 0;
  paths().drop(object.signalled);
  object.signalled = std::exchange(object.gathering, {});
}
void leave(HookedCall& call) { observe_signalled(call.arguments[0]); }

// Nobody has called its routine yet: it may be where another was.
void begin_once(HookedCall& call) {
  Object* known = known_at(call.arguments[0]); // so the address is valid
  if (known != nullptr && *reinterpret_cast<const int*>(call.arguments[0]) == 0)
    paths().drop(known->signalled);
}
void once(HookedCall& call) {
  Object& object = object_at(call.arguments[0]);
  if (object.signalled.node == nullptr)
    object.signalled = publish();
  else
    shadow::engine().observe_copy(span(), object.signalled);
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
    {"pthread_cond_wait", begin_wait, end_wait},
    {"pthread_cond_timedwait", begin_wait, end_wait},
    {"pthread_cond_clockwait", begin_wait, end_wait},
    {"pthread_cond_signal", begin_signal, end_signal},
    {"pthread_cond_broadcast", begin_broadcast, end_signal},
    {"sem_init", init_semaphore, nullptr},
    {"sem_open", nullptr, open_semaphore},
    {"sem_close", close_semaphore, nullptr},
    {"sem_post", post, nullptr},
    {"sem_wait", nullptr, waited},
    {"sem_timedwait", nullptr, waited},
    {"sem_clockwait", nullptr, waited},
    {"sem_trywait", nullptr, waited},
    {"pthread_barrier_init", init_barrier, nullptr},
    {"pthread_barrier_wait", arrive, leave},
    {"pthread_once", begin_once, once},
    {"pthread_cond_init", renew_condition, nullptr},
    {"pthread_cond_destroy", destroy_condition, nullptr}, // C++'s are begun by nobody
    {"cnd_init", renew_condition, nullptr},
    {"cnd_destroy", destroy_condition, nullptr},
    // C11's: of the C library's calls below them nothing is asked.
    {"cnd_wait", begin_wait, end_wait},
    {"cnd_timedwait", begin_wait, end_wait},
    {"cnd_signal", begin_signal, end_signal},
    {"cnd_broadcast", begin_broadcast, end_signal},
    {"call_once", begin_once, once},
    {nullptr, nullptr, nullptr},
};

const Hook hooks_of_cxx[] = {
    {"std::notify_all_at_thread_exit*", notify_at_end, nullptr},
    {nullptr, nullptr, nullptr},
};

void begins(shadow::Thread& thread) {
  const u64 pthread = guest::thread_pointer();
  Joinable* known = joinable->find(pthread);
  if (known == nullptr)
    joinable->insert(pthread, {thread.client, nullptr});
  else if (known->thread != thread.client)
    *known = {thread.client, nullptr};
  thread.pthread.self = pthread;
}

void keep_ended(shadow::Thread& thread) {
  Joinable* known = thread.pthread.begun ? joinable->find(thread.pthread.self) : nullptr;
  if (known != nullptr && known->thread == thread.client && known->ended == nullptr)
    known->ended = thread.span;
}

namespace {

constexpr u64 kFutexCommand = 0x7F;
bool waits(u64 operation) {
  const u64 command = operation & kFutexCommand;
  return command == 0 || command == 9; // FUTEX_WAIT, FUTEX_WAIT_BITSET
}
bool wakes(u64 operation) {
  const u64 command = operation & kFutexCommand;
  return command == 1 || command == 10; // FUTEX_WAKE, FUTEX_WAKE_BITSET
}
// A hooked routine knows its partners, and so do the libraries that hooks understand.
bool is_known() {
  const shadow::Thread* thread = shadow::running();
  return thread == nullptr || thread->is_hidden();
}

void before_futex(GuestAddr address, u64 operation) {
  if (waits(operation))
    atomic_waits::gives_way();
  if (!wakes(operation) || is_known())
    return;
  shadow::account();
  signal(address);
}

void after_futex(GuestAddr address, u64 operation, bool woken) {
  if (!waits(operation) || is_known() || atomic_waits::knows(address))
    return;
  shadow::account();
  Object& object = object_at(address);
  if (object.signalled.node != nullptr)
    shadow::engine().observe_copy(span(), object.signalled);
  else
    unseen += woken;
}

void gives_way(bool sleeps) {
  if (sleeps)
    return spin_waits::sleeps();
  atomic_waits::gives_way();
  spin_waits::yields();
}

void before_sending(u64 channel) {
  if (shadow::running() == nullptr)
    return;
  shadow::account();
  signal(channel);
}

void after_receiving(u64 channel) {
  if (shadow::running() == nullptr)
    return;
  shadow::account();
  observe_signalled(channel);
}

void forget_channel(u64 channel) {
  if (Object* known = known_at(channel))
    paths().drop(known->signalled);
}

} // namespace

void listen() {
  futex_events::listen(before_futex, after_futex, gives_way);
  channel_events::listen(before_sending, after_receiving, forget_channel);
}

u64 unseen_waits() { return unseen; }

void forget_totals() { unseen = 0; }

} // namespace thread_edges
