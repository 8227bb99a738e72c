#include "cilkshadow/thread_edges.hpp"

#include "base/valgrind.hpp"
#include "cilkshadow/posts.hpp"
#include "trace/call_events.hpp"
#include "trace/guest_registers.hpp"

#include <algorithm>
#include <utility>

namespace thread_edges {
namespace {

using shadow::Hook;
using shadow::Hooked;

// What threads wait at, by its address.
struct Object {
  GuestAddr address;
  PathPoint signalled; // all so far, the latest of it
  Posts posts;         // of a semaphore; of a condition, those that it has woken by
  u64 waiting = 0;     // for a condition
  u64 needed = 0;      // of a barrier
  u64 arrived = 0;
  PathPoint gathering;
  const char* lock_kind = nullptr;
  RoutineId first_by{};
  SpanLock lock;
  ThreadId owner{}; // who has it alone,
  u64 depth = 0;    // so many times; 0: nobody
};

Vector<Object*>* all;
AddressMap<u32>* by_address; // place in `all`
u64 unseen = 0;

Object& object_at(GuestAddr address) {
  if (all == nullptr) {
    all = create<Vector<Object*>>("cilkshadow.objects", "cilkshadow.objects");
    by_address = create<AddressMap<u32>>("cilkshadow.objects", "cilkshadow.objects");
  }
  if (const u32* known = by_address->find(address))
    return *(*all)[*known];
  by_address->insert(address, static_cast<u32>(all->size()));
  auto* made = create<Object>("cilkshadow.objects");
  made->address = address;
  return *all->push_back(made);
}

// Null: nobody has used it.
Object* known_at(GuestAddr address) {
  const u32* known = by_address == nullptr ? nullptr : by_address->find(address);
  return known == nullptr ? nullptr : (*all)[*known];
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

Object& lock_at(GuestAddr address, const char* kind, RoutineId by) {
  Object& object = object_at(address);
  if (object.lock_kind == nullptr) {
    object.lock_kind = kind;
    object.first_by = by;
  }
  return object;
}

} // namespace

void acquired(GuestAddr address, const char* kind, RoutineId by) {
  Object& object = lock_at(address, kind, by);
  const ThreadId thread = VG_(get_running_tid)();
  if (object.depth > 0 && object.owner == thread) {
    object.depth++;
    return;
  }
  object.owner = thread;
  object.depth = 1;
  shadow::engine().acquire(span(), object.lock);
}

void released(GuestAddr address) {
  Object& object = object_at(address);
  if (object.lock_kind == nullptr || object.depth == 0)
    return;
  if (--object.depth == 0)
    shadow::engine().release(span(), object.lock);
}

namespace {

// Threads by pthread_t, which those that have ended may share with a later one.

struct Joinable {
  ThreadIndex thread;
  SpanThread* ended = nullptr;
};
AddressMap<Joinable>* joinable;

void join(u64 pthread) {
  Joinable* thread = joinable->find(pthread);
  if (thread == nullptr || thread->ended == nullptr)
    return;
  shadow::engine().join_thread(span(), std::exchange(thread->ended, nullptr));
}

void join_if_successful(Hook& hook) {
  if (guest::result() == 0)
    join(hook.arguments[0]);
}

// Locks

template <const char* const& kKind> void acquired_if_successful(Hook& hook) {
  if (guest::result() == 0)
    acquired(hook.arguments[0], kKind, hook.caller);
}
constexpr const char* kMutex = "mutex";
constexpr const char* kSpinlock = "spinlock";
constexpr const char* kRwlock = "rwlock";

void shared_if_successful(Hook& hook) {
  if (guest::result() == 0)
    shadow::engine().acquire_shared(span(), lock_at(hook.arguments[0], kRwlock, hook.caller).lock);
}

void release_argument(Hook& hook) { released(hook.arguments[0]); }
void unlock_rwlock(Hook& hook) {
  Object& object = object_at(hook.arguments[0]);
  if (object.depth > 0)
    released(object.address);
  else if (object.lock_kind != nullptr)
    shadow::engine().release_shared(span(), object.lock);
}

// Conditions: a signal without effect orders nothing; of the others the n-th wakes the n-th that
// goes on.

void wake(Object& condition, u64 most) {
  for (; most > 0 && condition.posts.size() < condition.waiting; most--)
    condition.posts.push(publish());
}
void signal_one(Hook& hook) { wake(object_at(hook.arguments[0]), 1); }
void signal_all(Hook& hook) { wake(object_at(hook.arguments[0]), ~u64{0}); }

void begin_wait(Hook& hook) {
  object_at(hook.arguments[0]).waiting++;
  released(hook.arguments[1]);
}
void end_wait(Hook& hook) {
  acquired(hook.arguments[1], kMutex, hook.caller);
  Object& condition = object_at(hook.arguments[0]);
  condition.waiting -= condition.waiting > 0;
  const bool woken = guest::result() == 0;
  if (woken && !condition.posts.empty()) {
    PathPoint by = condition.posts.take();
    shadow::engine().observe(span(), by);
  } else if (!woken && condition.posts.size() > condition.waiting) {
    condition.posts.drop_oldest(paths());
  }
}

// A new one begins, where there may have been another. Totals are of both.
void renew(Hook& hook) {
  Object* object = known_at(hook.arguments[0]);
  if (object == nullptr)
    return;
  paths().drop(object->signalled);
  object->posts.begin(paths(), 0);
  object->waiting = 0;
  object->lock.released = object->lock.released_shared = 0;
  object->depth = 0;
}

// glibc has one routine by both names: 0 is what a lock is, that was released or never held.
void release_or_renew(Hook& hook) {
  Object* object = known_at(hook.arguments[0]);
  if (object != nullptr && object->depth > 0)
    released(object->address);
  else
    renew(hook);
}

void begin_semaphore(GuestAddr address, u64 granted) {
  constexpr u64 kMost = 1 << 20;
  object_at(address).posts.begin(paths(), std::min(granted, kMost));
}
void init_semaphore(Hook& hook) {
  begin_semaphore(hook.arguments[0], static_cast<u32>(hook.arguments[2]));
}
void open_semaphore(Hook&) {
  const GuestAddr semaphore = guest::result();
  if (semaphore != 0 && known_at(semaphore) == nullptr)
    begin_semaphore(semaphore, *reinterpret_cast<const u32*>(semaphore)); // its value comes first
}
void post(Hook& hook) { object_at(hook.arguments[0]).posts.push(publish()); }
void waited(Hook& hook) {
  Object& object = object_at(hook.arguments[0]);
  if (guest::result() != 0 || object.posts.empty())
    return;
  if (PathPoint post = object.posts.take(); post.node != nullptr)
    shadow::engine().observe(span(), post);
}

void init_barrier(Hook& hook) {
  object_at(hook.arguments[0]).needed = static_cast<u32>(hook.arguments[2]);
}
// Whoever waits has returned before the next round is complete.
void arrive(Hook& hook) {
  Object& object = object_at(hook.arguments[0]);
  paths().gather(object.gathering, publish());
  if (++object.arrived < object.needed)
    return;
  object.arrived = 0;
  paths().drop(object.signalled);
  object.signalled = std::exchange(object.gathering, {});
}
void leave(Hook& hook) { observe_signalled(hook.arguments[0]); }

void once(Hook& hook) {
  Object& object = object_at(hook.arguments[0]);
  if (object.signalled.node == nullptr)
    object.signalled = publish();
  else
    shadow::engine().observe_copy(span(), object.signalled);
}

} // namespace

const Hooked hooks[] = {
    {"pthread_create", nullptr, nullptr},
    {"thrd_create", nullptr, nullptr},
    {"pthread_join", nullptr, join_if_successful},
    {"pthread_tryjoin_np", nullptr, join_if_successful},
    {"pthread_timedjoin_np", nullptr, join_if_successful},
    {"pthread_clockjoin_np", nullptr, join_if_successful},
    {"thrd_join", nullptr, join_if_successful},
    {"pthread_mutex_lock", nullptr, acquired_if_successful<kMutex>},
    {"pthread_mutex_trylock", nullptr, acquired_if_successful<kMutex>},
    {"pthread_mutex_timedlock", nullptr, acquired_if_successful<kMutex>},
    {"pthread_mutex_clocklock", nullptr, acquired_if_successful<kMutex>},
    {"pthread_mutex_unlock", release_argument, nullptr},
    {"pthread_spin_lock", nullptr, acquired_if_successful<kSpinlock>},
    {"pthread_spin_trylock", nullptr, acquired_if_successful<kSpinlock>},
    {"pthread_spin_unlock", release_or_renew, nullptr},
    {"pthread_rwlock_wrlock", nullptr, acquired_if_successful<kRwlock>},
    {"pthread_rwlock_trywrlock", nullptr, acquired_if_successful<kRwlock>},
    {"pthread_rwlock_timedwrlock", nullptr, acquired_if_successful<kRwlock>},
    {"pthread_rwlock_clockwrlock", nullptr, acquired_if_successful<kRwlock>},
    {"pthread_rwlock_rdlock", nullptr, shared_if_successful},
    {"pthread_rwlock_tryrdlock", nullptr, shared_if_successful},
    {"pthread_rwlock_timedrdlock", nullptr, shared_if_successful},
    {"pthread_rwlock_clockrdlock", nullptr, shared_if_successful},
    {"pthread_rwlock_unlock", unlock_rwlock, nullptr},
    {"pthread_cond_wait", begin_wait, end_wait},
    {"pthread_cond_timedwait", begin_wait, end_wait},
    {"pthread_cond_clockwait", begin_wait, end_wait},
    {"pthread_cond_signal", signal_one, nullptr},
    {"pthread_cond_broadcast", signal_all, nullptr},
    {"sem_init", init_semaphore, nullptr},
    {"sem_open", nullptr, open_semaphore},
    {"sem_post", post, nullptr},
    {"sem_wait", nullptr, waited},
    {"sem_timedwait", nullptr, waited},
    {"sem_clockwait", nullptr, waited},
    {"sem_trywait", nullptr, waited},
    {"pthread_barrier_init", init_barrier, nullptr},
    {"pthread_barrier_wait", arrive, leave},
    {"pthread_once", nullptr, once},
    {"pthread_mutex_init", renew, nullptr},
    {"pthread_spin_init", release_or_renew, nullptr},
    {"pthread_rwlock_init", renew, nullptr},
    {"pthread_cond_init", renew, nullptr},
    {"pthread_cond_destroy", renew, nullptr}, // C++'s are begun by nobody
    {"mtx_init", renew, nullptr},
    {"cnd_init", renew, nullptr},
    {"cnd_destroy", renew, nullptr},
    // C11's: of the C library's calls below them nothing is asked.
    {"mtx_lock", nullptr, acquired_if_successful<kMutex>},
    {"mtx_trylock", nullptr, acquired_if_successful<kMutex>},
    {"mtx_timedlock", nullptr, acquired_if_successful<kMutex>},
    {"mtx_unlock", release_argument, nullptr},
    {"cnd_wait", begin_wait, end_wait},
    {"cnd_timedwait", begin_wait, end_wait},
    {"cnd_signal", signal_one, nullptr},
    {"cnd_broadcast", signal_all, nullptr},
    {"call_once", nullptr, once},
    {nullptr, nullptr, nullptr},
};

void begins(shadow::Logical& thread) {
  if (joinable == nullptr)
    joinable = create<AddressMap<Joinable>>("cilkshadow.joinable", "cilkshadow.joinable");
  const u64 pthread = guest::thread_pointer();
  Joinable* known = joinable->find(pthread);
  if (known == nullptr)
    joinable->insert(pthread, {thread.thread, nullptr});
  else if (known->thread != thread.thread)
    *known = {thread.thread, nullptr};
  thread.pthread = pthread;
}

void keep_ended(shadow::Logical& thread) {
  Joinable* known = thread.begun ? joinable->find(thread.pthread) : nullptr;
  if (known != nullptr && known->thread == thread.thread && known->ended == nullptr)
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
  const shadow::Logical* thread = shadow::running();
  return thread == nullptr || thread->is_hidden();
}

} // namespace

void before_futex(GuestAddr address, u64 operation) {
  if (!wakes(operation) || is_known())
    return;
  shadow::settle();
  signal(address);
}

void after_futex(GuestAddr address, u64 operation, bool woken) {
  if (!waits(operation) || is_known())
    return;
  shadow::settle();
  Object& object = object_at(address);
  if (object.signalled.node != nullptr)
    shadow::engine().observe_copy(span(), object.signalled);
  else
    unseen += woken;
}

void before_sending(u64 channel) {
  if (shadow::running() == nullptr)
    return;
  shadow::settle();
  signal(channel);
}

void after_receiving(u64 channel) {
  if (shadow::running() == nullptr)
    return;
  shadow::settle();
  observe_signalled(channel);
}

u64 unseen_waits() { return unseen; }

// Of locks that are held, what is executed from here on counts.
void forget_totals() {
  unseen = 0;
  for (std::size_t i = 0; i < objects(); i++) {
    SpanLock& lock = (*all)[i]->lock;
    lock.acquired_at = lock.held = lock.acquisitions = 0;
  }
}

std::size_t objects() { return all == nullptr ? 0 : all->size(); }

bool lock_of(std::size_t i, LockTotals& totals) {
  const Object& object = *(*all)[i];
  totals = {object.address, object.lock_kind, object.first_by, &object.lock};
  return object.lock_kind != nullptr && (object.lock.acquisitions > 0 || object.lock.held > 0);
}

} // namespace thread_edges
