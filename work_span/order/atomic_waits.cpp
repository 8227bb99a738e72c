#include "work_span/order/atomic_waits.hpp"

#include "base/address_map.hpp"
#include "base/lazy.hpp"
#include "trace/call_events.hpp"
#include "trace/guest_registers.hpp"
#include "work_span/order/atomic_sources.hpp"
#include "work_span/order/posts.hpp"
#include "work_span/order/spin_waits.hpp"

#include <algorithm>
#include <utility>

namespace atomic_waits {
namespace {

using shadow::HookedCall;
using shadow::Thread;

struct Value {
  GuestAddr address = 0;
  PathPoint changed{}; // all since it was stored to, or begun
  u64 last = 0;        // value
  bool has_last = false;
  bool lacks_changes = false; // perhaps: those of others were kept
  Posts posts{};              // of a semaphore
  void (*as)(GuestAddr, u64, u64, u64) = atomic_waits::changed; // it was told last, if awaited
};

constexpr u64 kMostPosts = 1 << 18; // of a semaphore, some 125 bytes each
constexpr unsigned kRecentBits = 10;

Lazy<Vector<Value>> recent{"cilkshadow.atomics"}; // by address: the latest that nobody awaited
Lazy<AddressMap<Value*>> awaited{"cilkshadow.atomics"}; // by address
u64 without_partner = 0;
u64 ended = 0; // waits whose end was seen

// The library counts together who waits at addresses of one hash: all that this tells is whether
// what was loaded last can be it.
struct Waiters {
  GuestAddr number; // of them
  GuestAddr hash = kUnknown;
  static constexpr GuestAddr kUnknown = ~GuestAddr{0};
};
Lazy<Vector<Waiters>> all_waiters{"cilkshadow.atomics"};

Waiters* waiters_at(GuestAddr number) {
  for (Waiters& known : *all_waiters)
    if (known.number == number)
      return &known;
  return nullptr;
}

bool can_be(Waiters& waiters, GuestAddr awaited) {
  const GuestAddr hash = awaited / 4 % 16;
  if (waiters.hash == Waiters::kUnknown)
    waiters.hash = hash;
  return waiters.hash == hash;
}

SpanThread& span() { return *shadow::running()->span; }
WorkSpan& engine() { return shadow::engine(); }
Paths& paths() { return engine().paths(); }

Value& recent_at(GuestAddr address) {
  return (*recent)[address * 0x9E3779B97F4A7C15u >> (64 - kRecentBits)];
}

Value& value_at(GuestAddr address) {
  if (recent->empty())
    recent->resize(std::size_t{1} << kRecentBits);
  if (Value** known = awaited->find(address))
    return **known;
  Value& value = recent_at(address);
  if (value.address != address) {
    const bool lost = value.changed.node != nullptr || value.lacks_changes;
    paths().drop(value.changed);
    value = Value{.address = address, .lacks_changes = lost};
  }
  return value;
}

// Null: nobody is known to have changed it.
const PathPoint* changes_of(GuestAddr address) {
  if (recent->empty())
    return nullptr;
  Value** known = awaited->find(address);
  const Value& value = known != nullptr ? **known : recent_at(address);
  return value.address == address && value.changed.node != nullptr ? &value.changed : nullptr;
}

// The running thread's way there is longer if it comes after that.
bool is_later(const PathPoint& point) {
  return point.lengths.span > span().path().lengths.span + shadow::unaccounted();
}

// By the program's own code, if need be in routines of std::atomics that compilers left as such:
// not by a run-time library, whose waits are known.
bool is_loaded_by_program() {
  const Thread& thread = *shadow::running();
  const auto& on_engine = span().frames;
  std::size_t frame = thread.frames.size();
  std::size_t routine = on_engine.size();
  while (frame > 1 && routine > 0 && thread.frames[frame - 1].is_on_engine() &&
         atomic_sources::is_of_atomics((*routines)[on_engine[routine - 1].routine])) {
    frame--;
    routine--;
  }
  return frame > 0 && thread.frames[frame - 1].is_on_engine();
}

// Threads wait or meet there: it is kept.
Value& awaited_at(GuestAddr address) {
  Value& found = value_at(address);
  if (awaited->find(address) != nullptr)
    return found;
  auto* kept = create<Value>("cilkshadow.atomics", std::move(found));
  found = Value{};
  return *awaited->insert(address, kept);
}

// That nobody is known to have changed it: if the thread did not wait for long, it may have begun
// as it is. Of those of unusual size, which are libatomic's, nothing is seen.
bool lacks_partner(const Value& value) {
  return value.changed.node == nullptr &&
         (shadow::running()->atomic.yielded || value.lacks_changes ||
          atomic_sources::has_called("libatomic.so*"));
}

// What was loaded last is what the thread waited for.
void end_wait() {
  const GuestAddr awaited = std::exchange(shadow::running()->atomic.loaded, 0);
  if (awaited == 0)
    return;
  shadow::account();
  ended++;
  paths().drop(shadow::running()->atomic.arrived);
  const Value& value = awaited_at(awaited);
  without_partner += lacks_partner(value);
  engine().observe_copy(span(), value.changed);
}

void enter_wait(HookedCall& call) { call.kept = reinterpret_cast<void*>(ended); }
// Without debug information nothing was seen of it.
void leave_wait(HookedCall& call) {
  end_wait();
  if (reinterpret_cast<u64>(call.kept) != ended)
    return;
  ended++;
  without_partner++;
}

// Where compilers inline nothing, routines tell what is changed in what they call.
void in_semaphore(HookedCall&) {}
void in_barrier(HookedCall&) {}
void in_completing_barrier(HookedCall&) {}
void in_future(HookedCall&) {}
bool is_called_by(void (*routine)(HookedCall&)) {
  const Vector<HookedCall*>& calls = shadow::running()->hooked_calls;
  return !calls.empty() && calls.back()->hook.on_entry == routine;
}

// Of the running routine, as far as it is made, and not left yet: the frame pointer is its own.
bool has_own_frame_pointer() {
  constexpr u64 kLargest = 4096;
  return guest::frame_pointer() - guest::stack_pointer() < kLargest;
}

// What is below the return address.
bool is_in_frame(GuestAddr address) {
  constexpr u64 kBelow = 128;
  const GuestAddr sp = guest::stack_pointer();
  return address + kBelow >= sp &&
         address < (has_own_frame_pointer() ? guest::frame_pointer() + 16 : sp + 8);
}

// Of a barrier: what comes after it, `all`, comes after all that arrived.
void begin_phase(PathPoint& all) {
  if (const PathPoint& arrived = shadow::running()->atomic.arrived; arrived.node != nullptr)
    paths().gather(all, paths().copy(arrived));
}

// Who reads what was stored comes after that. Null where nobody can wait for it.
PathPoint* publish_store(GuestAddr address, bool has_frame) {
  if (has_frame && is_in_frame(address))
    return nullptr;
  Value& value = value_at(address);
  if (shadow::threads() < 2) {
    value.lacks_changes = false;
    return nullptr;
  }
  shadow::account();
  paths().drop(value.changed);
  value.changed = engine().publish(span());
  value.has_last = false;
  spin_waits::changes(address);
  return &value.changed;
}

// Whatever it was before: a new one may begin where another was.
void publish_change(Value& value, bool begins) {
  shadow::account();
  if (begins)
    paths().drop(value.changed);
  paths().gather(value.changed, engine().publish(span()));
}

constexpr u32 kWaiters = u32{1} << 31; // of a future

// Without lines nothing is seen of what it changes, but of threads that wait for it.
constexpr shadow::Hook by_line(const char* routine, void (*in)(HookedCall&)) {
  return {routine, in, nullptr, nullptr, true};
}

// By a routine with a frame, for its caller.
bool is_for(atomic_sources::Caller caller) {
  const auto* const frame = reinterpret_cast<const GuestAddr*>(guest::frame_pointer());
  return has_own_frame_pointer() && atomic_sources::caller_at(frame[1]) == caller;
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

void changed(GuestAddr address, u64 bytes, u64 before, u64 after) {
  shadow::flush_log();
  if (is_called_by(in_semaphore))
    return semaphore_changed(address, bytes, before, after);
  if (is_called_by(in_barrier))
    return barrier_changed(address, bytes, before, after);
  if (is_called_by(in_completing_barrier))
    return completing_barrier_changed(address, bytes, before, after);
  if (is_called_by(in_future))
    return future_changed(address, bytes, before, after);
  Value& value = value_at(address);
  if (shadow::threads() < 2) {
    value.lacks_changes = false;
    return;
  }
  publish_change(value, value.has_last && value.last != before);
  value.last = after;
  value.has_last = true;
  spin_waits::changes(address);
  if (bytes == 1)
    begin_phase(value.changed);
}

void future_changed(GuestAddr address, u64, u64 before, u64) {
  Value& value = awaited_at(address);
  value.as = future_changed;
  if (shadow::threads() >= 2)
    publish_change(value, (before & ~u64{kWaiters}) == 0);
}

void semaphore_changed(GuestAddr address, u64, u64 before, u64 after) {
  if (shadow::threads() < 2)
    return;
  shadow::account();
  Value& value = awaited_at(address);
  value.as = semaphore_changed;
  Posts& posts = value.posts;
  if (posts.size() != before)
    posts.begin(paths(), before); // it is new here
  if (after >= before) {
    u64 more = after - before;
    if (posts.made() + more > kMostPosts) {
      without_partner += posts.made() + more;
      posts.begin(paths(), after);
      more = 0;
    }
    for (; more > 0; more--)
      posts.push(engine().publish(span()));
    return;
  }
  ended++;
  shadow::running()->atomic.loaded = 0;
  if (posts.empty())
    return;
  if (PathPoint post = posts.take(); post.node != nullptr)
    engine().observe(span(), post);
}

void barrier_changed(GuestAddr address, u64 bytes, u64, u64) {
  if (shadow::threads() < 2 || bytes > 1)
    return;
  shadow::account();
  Value& value = awaited_at(address);
  value.as = barrier_changed;
  PathPoint& met = value.changed;
  PathPoint& arrived = shadow::running()->atomic.arrived;
  shadow::running()->atomic.arrived_at = span().path().lengths.span;
  paths().gather(arrived, engine().publish(span()));
  if (met.node != nullptr)
    paths().gather(arrived, paths().copy(met));
  paths().gather(met, paths().copy(arrived));
}

void completing_barrier_changed(GuestAddr address, u64 bytes, u64, u64) {
  if (shadow::threads() < 2 || bytes > 1)
    return;
  shadow::account();
  PathPoint& met = awaited_at(address).changed;
  engine().observe_copy(span(), met);
  paths().gather(met, engine().publish(span()));
}

void stored(GuestAddr address, u64 bytes, bool has_frame) {
  PathPoint* published = publish_store(address, has_frame);
  if (published != nullptr && bytes == 1 && has_frame)
    begin_phase(*published);
}

void barrier_stored(GuestAddr address, u64 bytes, bool has_frame) {
  PathPoint* published = publish_store(address, has_frame);
  const Thread& thread = *shadow::running();
  if (published == nullptr || bytes > 1 || thread.atomic.arrived.node == nullptr)
    return;
  begin_phase(*published);
  // What it did since is the barrier's completion, where that is inlined.
  constexpr Span kMostOfBarrier = 1000;
  without_partner += span().path().lengths.span - thread.atomic.arrived_at > kMostOfBarrier;
}

void loaded(GuestAddr address, u64 bytes, bool has_frame) {
  if (has_frame && is_in_frame(address))
    return;
  shadow::flush_log();
  if (is_called_by(in_future) || (has_frame && is_for(atomic_sources::Caller::future)))
    return future_loaded(address, bytes, has_frame);
  if (has_frame && is_for(atomic_sources::Caller::latch))
    return latch_loaded(address, bytes, has_frame);
  if (spin_waits::is_waiting()) {
    const Value& value = awaited_at(address);
    if (value.changed.node != nullptr) { // else what goes round stays to be taken back
      shadow::account();
      engine().observe_copy(span(), value.changed);
    }
  } else if (const PathPoint* changes = changes_of(address);
             changes != nullptr && is_later(*changes) && is_loaded_by_program()) {
    spin_waits::finds(address);
  }
  shadow::running()->atomic.loaded = address;
}

void future_loaded(GuestAddr address, u64 bytes, bool has_frame) {
  if (shadow::threads() < 2 || bytes != sizeof(u32) || (has_frame && is_in_frame(address)) ||
      (*reinterpret_cast<const u32*>(address) & ~kWaiters) == 0)
    return;
  shadow::account();
  Value& value = awaited_at(address);
  const bool is_known = value.as == future_changed || value.changed.node != nullptr;
  without_partner += !is_known; // the library made it ready itself, at a thread's exit
  value.as = future_changed;
  engine().observe_copy(span(), value.changed);
}

void latch_loaded(GuestAddr address, u64 bytes, bool has_frame) {
  if (bytes != sizeof(u32) || (has_frame && is_in_frame(address)))
    return;
  shadow::flush_log();
  shadow::running()->atomic.loaded = address;
  if (shadow::threads() < 2 || *reinterpret_cast<const u32*>(address) != 0)
    return;
  shadow::account();
  engine().observe_copy(span(), value_at(address).changed);
}

void waiters_changed(GuestAddr address, u64, u64 before, u64 after) {
  Waiters* waiters = waiters_at(address);
  if (waiters == nullptr)
    waiters = &all_waiters->push_back({address});
  shadow::flush_log();
  if (after == before + 1)
    shadow::running()->atomic.yielded = false;
  const GuestAddr awaited = shadow::running()->atomic.loaded;
  if (after + 1 != before || awaited == 0)
    return;
  if (can_be(*waiters, awaited))
    end_wait();
  else
    without_partner++;
}

void something_changed(GuestAddr address, u64 bytes, u64 before, u64 after) {
  if (waiters_at(address) != nullptr)
    return waiters_changed(address, bytes, before, after);
  Value** known = awaited->find(address);
  (known == nullptr ? changed : (*known)->as)(address, bytes, before, after);
}

void gives_way() {
  if (shadow::running() != nullptr)
    shadow::running()->atomic.yielded = true;
}

bool knows(GuestAddr futex) {
  constexpr GuestAddr kBeforeVersion = 64; // the number of those who wait for it to change
  return waiters_at(futex - kBeforeVersion) != nullptr;
}

u64 unseen() { return without_partner; }
void forget_totals() { without_partner = 0; }

} // namespace atomic_waits
