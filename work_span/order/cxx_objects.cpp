#include "work_span/order/cxx_objects.hpp"

namespace cxx_objects {
namespace {

using atomic_values::awaited_at;
using shadow::observe_copy;
using shadow::paths;
using shadow::publish;

// Per semaphore; each takes some 125 bytes.
constexpr u64 kMostPosts = 1 << 18;
constexpr u32 kHasWaiters = u32{1} << 31; // in a future's state

u64 semaphores_acquired = 0;
u64 without_partner = 0;

Span path_length() { return shadow::span().path().lengths.span; }

bool is_ready(u64 future) { return (future & ~u64{kHasWaiters}) != 0; }

void post(SemaphoreQueue& posts, u64 before, u64 after) {
  if (const u64 all = posts.posted() + (after - before); all > kMostPosts) {
    without_partner += all;
    posts.begin(paths(), after);
    return;
  }
  for (; before < after; before++)
    posts.post(publish());
}

} // namespace

void semaphore_changed(GuestAddr address, u64, u64 before, u64 after) {
  if (shadow::threads() < 2)
    return;
  shadow::account();
  AtomicValue& value = awaited_at(address);
  value.changed = semaphore_changed;
  SemaphoreQueue& posts = value.posts;
  if (posts.size() != before) // a new semaphore
    posts.begin(paths(), before);
  if (after >= before)
    return post(posts, before, after);
  semaphores_acquired++;
  shadow::running()->atomic.loaded = 0;
  if (posts.empty())
    return;
  if (PathPoint by = posts.wait(); by.node != nullptr)
    shadow::observe(by);
}

void barrier_changed(GuestAddr address, u64 bytes, u64, u64) {
  if (shadow::threads() < 2 || bytes > 1)
    return;
  shadow::account();
  AtomicValue& value = awaited_at(address);
  value.changed = barrier_changed;
  PathPoint& met = value.changes;
  shadow::AtomicWait& wait = shadow::running()->atomic;
  wait.arrived_at = path_length();
  paths().gather(wait.arrived, publish());
  if (met.node != nullptr)
    paths().gather(wait.arrived, paths().copy(met));
  paths().gather(met, paths().copy(wait.arrived));
}

void completing_barrier_changed(GuestAddr address, u64 bytes, u64, u64) {
  if (shadow::threads() < 2 || bytes > 1)
    return;
  shadow::account();
  PathPoint& met = awaited_at(address).changes;
  observe_copy(met);
  paths().gather(met, publish());
}

void barrier_stored(GuestAddr address, u64 bytes) {
  AtomicValue* value = atomic_values::shared_at(address);
  if (value == nullptr)
    return;
  atomic_values::store(*value);
  const shadow::AtomicWait& wait = shadow::running()->atomic;
  if (bytes > 1 || wait.arrived.node == nullptr)
    return;
  begin_phase(value->changes);
  // If the thread has executed much since it arrived, that was the barrier's completion function,
  // inlined.
  constexpr Span kMostOfBarrier = 1000;
  without_partner += path_length() - wait.arrived_at > kMostOfBarrier;
}

void begin_phase(PathPoint& all) {
  if (const PathPoint& arrived = shadow::running()->atomic.arrived; arrived.node != nullptr)
    paths().gather(all, paths().copy(arrived));
}

void future_changed(GuestAddr address, u64, u64 before, u64) {
  AtomicValue& value = awaited_at(address);
  value.changed = future_changed;
  if (shadow::threads() >= 2)
    atomic_values::change(value, !is_ready(before));
}

void future_loaded(GuestAddr address, u64 bytes) {
  if (shadow::threads() < 2 || bytes != sizeof(u32) ||
      !is_ready(*reinterpret_cast<const u32*>(address)))
    return;
  shadow::account();
  AtomicValue& value = awaited_at(address);
  const bool is_known = value.changed == future_changed || value.changes.node != nullptr;
  without_partner += !is_known; // the library made it ready itself, at a thread's exit
  value.changed = future_changed;
  observe_copy(value.changes);
}

void latch_loaded(GuestAddr address, u64 bytes) {
  if (bytes != sizeof(u32))
    return;
  shadow::flush_log();
  shadow::running()->atomic.loaded = address;
  if (shadow::threads() < 2 || *reinterpret_cast<const u32*>(address) != 0)
    return;
  shadow::account();
  observe_copy(atomic_values::at(address).changes);
}

u64 acquired() { return semaphores_acquired; }
u64 unseen() { return without_partner; }
void forget_totals() { without_partner = 0; }

} // namespace cxx_objects
