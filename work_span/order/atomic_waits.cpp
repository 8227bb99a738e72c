#include "work_span/order/atomic_waits.hpp"

#include "base/lazy.hpp"
#include "trace/call_events.hpp"
#include "work_span/order/atomic_sources.hpp"
#include "work_span/order/cxx_objects.hpp"
#include "work_span/order/spin_locks.hpp"
#include "work_span/order/spin_waits.hpp"

#include <utility>

namespace atomic_waits {
namespace {

using atomic_sources::Caller;
using atomic_sources::is_called_by;
using atomic_sources::is_in_frame;
using shadow::HookedCall;
using shadow::Thread;

// The library's count of threads that wait at the addresses of one hash. It does not say which
// threads wait, but tells whether the atomic that a thread loaded last can be the one that it
// waited for.
struct Waiters {
  GuestAddr count; // its address
  GuestAddr hash = kUnknown;
  static constexpr GuestAddr kUnknown = ~GuestAddr{0};

  // Takes the hash of the first such address. Returns false if this address has another one.
  bool note_hash_of(GuestAddr address) {
    const GuestAddr of_address = address / 4 % 16;
    if (hash == kUnknown)
      hash = of_address;
    return hash == of_address;
  }
};
Lazy<Vector<Waiters>> all_waiters{"cilkshadow.atomics"};

u64 waits_ended = 0; // those whose end was seen
u64 without_partner = 0;

Waiters* find_waiters(GuestAddr count) {
  for (Waiters& known : *all_waiters)
    if (known.count == count)
      return &known;
  return nullptr;
}

// Whether the point is on a longer path than the running thread's.
bool is_later(const PathPoint& point) {
  return point.lengths.span > shadow::span().path().lengths.span + shadow::unaccounted();
}

// Whether the program's own code loads it, possibly through routines of std::atomic that were not
// inlined. The waits of run-time libraries are known.
bool is_loaded_by_program() {
  const Thread& thread = *shadow::running();
  const auto& on_engine = shadow::span().frames;
  std::size_t frame = thread.frames.size();
  std::size_t routine = on_engine.size();
  while (frame > 1 && routine > 0 && thread.frames[frame - 1].is_on_engine() &&
         atomic_sources::is_of_atomics((*routines)[on_engine[routine - 1].routine])) {
    frame--;
    routine--;
  }
  return frame > 0 && thread.frames[frame - 1].is_on_engine();
}

// Whether a change must have come from code that is not seen. If nobody has changed the value, the
// thread may have found it as it was at the beginning, unless it waited for long. Accesses of
// unusual sizes are made by libatomic.
bool lacks_partner(const AtomicValue& value) {
  return value.changes.node == nullptr &&
         (shadow::running()->atomic.yielded || value.lacks_changes ||
          atomic_sources::has_called("libatomic.so*"));
}

// The thread waited for the atomic that it loaded last.
void end_wait() {
  const GuestAddr awaited = std::exchange(shadow::running()->atomic.loaded, 0);
  if (awaited == 0)
    return;
  shadow::account();
  waits_ended++;
  shadow::paths().drop(shadow::running()->atomic.arrived);
  const AtomicValue& value = atomic_values::awaited_at(awaited);
  without_partner += lacks_partner(value);
  shadow::observe_copy(value.changes);
}

u64 ended_so_far() { return waits_ended + cxx_objects::acquired(); }

void enter_wait(HookedCall& call) { call.kept = reinterpret_cast<void*>(ended_so_far()); }
// Without debug information, nothing was seen of the wait.
void leave_wait(HookedCall& call) {
  end_wait();
  if (reinterpret_cast<u64>(call.kept) != ended_so_far())
    return;
  waits_ended++;
  without_partner++;
}

// If compilers do not inline, these routines tell what is changed by their callees.
void in_semaphore(HookedCall&) {}
void in_barrier(HookedCall&) {}
void in_completing_barrier(HookedCall&) {}
void in_future(HookedCall&) {}
bool is_in(void (*routine)(HookedCall&)) {
  const Vector<HookedCall*>& calls = shadow::running()->hooked_calls;
  return !calls.empty() && calls.back()->hook.on_entry == routine;
}

// Without lines, only threads that wait for it are seen, not what it changes.
constexpr shadow::Hook by_line(const char* routine, void (*in)(HookedCall&)) {
  return {routine, in, nullptr, nullptr, true};
}

} // namespace

const shadow::Hook hooks[] = {
    by_line("std::__atomic_semaphore::*", in_semaphore),
    by_line("std::__tree_barrier<std::__empty_completion>::_M_arrive*", in_barrier),
    by_line("std::__tree_barrier<*>::_M_arrive*", in_completing_barrier),
    by_line("std::__atomic_futex_unsigned<*>::_M_load*", in_future),
    by_line("std::__atomic_futex_unsigned<*>::_M_store*", in_future),
    {"void std::__atomic_wait_address*", enter_wait, leave_wait},
    {"void std::__detail::__waiter<*>::_M_do_wait*", enter_wait, leave_wait},
    {nullptr, nullptr, nullptr},
};

namespace {

void change(GuestAddr address, u64 bytes, u64 before, u64 after, bool is_exchange) {
  shadow::flush_log();
  if (is_in(in_semaphore))
    return cxx_objects::semaphore_changed(address, bytes, before, after);
  if (is_in(in_barrier))
    return cxx_objects::barrier_changed(address, bytes, before, after);
  if (is_in(in_completing_barrier))
    return cxx_objects::completing_barrier_changed(address, bytes, before, after);
  if (is_in(in_future))
    return cxx_objects::future_changed(address, bytes, before, after);
  AtomicValue* value = atomic_values::shared_at(address);
  if (value == nullptr || spin_locks::changed(*value, bytes, before, after, is_exchange))
    return;
  atomic_values::change(*value, value->has_last && value->last != before);
  value->last = after;
  value->has_last = true;
  spin_waits::changes(address);
  if (bytes == 1)
    cxx_objects::begin_phase(value->changes);
}

} // namespace

void changed(GuestAddr address, u64 bytes, u64 before, u64 after) {
  change(address, bytes, before, after, false);
}
void exchanged(GuestAddr address, u64 bytes, u64 before, u64 after) {
  change(address, bytes, before, after, true);
}

void stored(GuestAddr address, u64 bytes, bool has_frame) {
  if (has_frame && is_in_frame(address))
    return;
  AtomicValue* value = atomic_values::shared_at(address);
  if (value == nullptr || spin_locks::stored(*value))
    return;
  atomic_values::store(*value);
  if (bytes == 1 && has_frame)
    cxx_objects::begin_phase(value->changes);
}

void barrier_stored(GuestAddr address, u64 bytes, bool has_frame) {
  if (!has_frame || !is_in_frame(address))
    cxx_objects::barrier_stored(address, bytes);
}

void future_loaded(GuestAddr address, u64 bytes, bool has_frame) {
  if (!has_frame || !is_in_frame(address))
    cxx_objects::future_loaded(address, bytes);
}

void latch_loaded(GuestAddr address, u64 bytes, bool has_frame) {
  if (!has_frame || !is_in_frame(address))
    cxx_objects::latch_loaded(address, bytes);
}

void loaded(GuestAddr address, u64 bytes, bool has_frame) {
  if (has_frame && is_in_frame(address))
    return;
  shadow::flush_log();
  if (is_in(in_future) || (has_frame && is_called_by(Caller::future)))
    return cxx_objects::future_loaded(address, bytes);
  if (has_frame && is_called_by(Caller::latch))
    return cxx_objects::latch_loaded(address, bytes);
  if (spin_waits::is_waiting()) {
    const AtomicValue& value = atomic_values::awaited_at(address);
    if (value.changes.node != nullptr) { // otherwise its rounds must not be accounted yet
      shadow::account();
      shadow::observe_copy(value.changes);
    }
  } else if (const PathPoint* changes = atomic_values::changes_of(address);
             changes != nullptr && is_later(*changes) && is_loaded_by_program()) {
    spin_waits::finds(address);
  }
  shadow::running()->atomic.loaded = address;
}

void waiters_changed(GuestAddr address, u64, u64 before, u64 after) {
  Waiters* waiters = find_waiters(address);
  if (waiters == nullptr)
    waiters = &all_waiters->push_back({address});
  shadow::flush_log();
  if (after == before + 1)
    shadow::running()->atomic.yielded = false;
  const GuestAddr awaited = shadow::running()->atomic.loaded;
  if (after + 1 != before || awaited == 0)
    return;
  if (waiters->note_hash_of(awaited))
    end_wait();
  else
    without_partner++;
}

void count_or_value_changed(GuestAddr address, u64 bytes, u64 before, u64 after) {
  if (find_waiters(address) != nullptr)
    return waiters_changed(address, bytes, before, after);
  const AtomicValue* awaited = atomic_values::find_awaited(address);
  const bool is_of_object = awaited != nullptr && awaited->changed != nullptr;
  (is_of_object ? awaited->changed : changed)(address, bytes, before, after);
}

void yields() {
  if (shadow::running() != nullptr)
    shadow::running()->atomic.yielded = true;
}

bool knows(GuestAddr futex) {
  // Distance from the count to the futex, in the library's pool.
  constexpr GuestAddr kBeforeVersion = 64;
  return find_waiters(futex - kBeforeVersion) != nullptr;
}

u64 unseen() { return without_partner + cxx_objects::unseen(); }

void forget_totals() {
  without_partner = 0;
  cxx_objects::forget_totals();
}

} // namespace atomic_waits
