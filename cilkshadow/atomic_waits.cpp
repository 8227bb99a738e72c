#include "cilkshadow/atomic_waits.hpp"

#include "base/address_map.hpp"
#include "cilkshadow/posts.hpp"
#include "trace/guest_registers.hpp"

namespace atomic_waits {
namespace {

using shadow::Hook;

struct Value {
  GuestAddr address = 0;
  PathPoint changed{}; // all so far
  Posts posts{};
  bool counts = true; // semaphores of so many posts there are none
  bool is_semaphore = false;
  u64 taken = 0; // of it
};

constexpr i64 kMostPosts = 1 << 12;
constexpr std::size_t kRecent = 1 << 10;

Vector<Value>* recent;       // by address: the latest of those that nobody waited for
AddressMap<Value*>* awaited; // by address and, of a barrier, phase
u64 without_partner = 0;

SpanThread& span() { return *shadow::running()->span; }
WorkSpan& engine() { return shadow::engine(); }
Paths& paths() { return engine().paths(); }

// It is `now`, and who made it that does not matter.
void begin_posts(Value& value, i64 now) {
  value.counts = now <= kMostPosts;
  value.posts.begin(paths(), value.counts && now > 0 ? static_cast<u64>(now) : 0);
}

// `now` is for one of which nothing is known.
Value& value_at(GuestAddr address, i64 now) {
  if (recent == nullptr) {
    recent = create<Vector<Value>>("cilkshadow.atomics", "cilkshadow.atomics");
    recent->resize(kRecent);
    awaited = create<AddressMap<Value*>>("cilkshadow.atomics", "cilkshadow.atomics");
  }
  if (Value** known = awaited->find(address))
    return **known;
  Value& value = (*recent)[address / 4 % kRecent];
  if (value.address != address) {
    begin_posts(value, now);
    paths().drop(value.changed);
    value.address = address;
  }
  return value;
}

// Somebody waits there: it is kept.
Value& awaited_at(GuestAddr address, i64 now) {
  Value& found = value_at(address, now);
  if (awaited->find(address) != nullptr)
    return found;
  auto* kept = create<Value>("cilkshadow.atomics", std::move(found));
  found = Value{};
  return *awaited->insert(address, kept);
}

void count_posts(Value& value, i64 more, const PathPoint& here) {
  value.counts &= more <= kMostPosts - static_cast<i64>(value.posts.size());
  if (!value.counts)
    return value.posts.begin(paths(), 0);
  for (; more > 0; more--)
    value.posts.push(paths().copy(here));
  for (; more < 0 && !value.posts.empty(); more++)
    value.posts.drop_oldest(paths());
}

void come_after_post(Value& value) {
  value.taken++;
  without_partner += !value.counts;
  if (value.posts.empty())
    return;
  if (PathPoint post = value.posts.take(); post.node != nullptr)
    engine().observe(span(), post);
}

i64 signed_value(u64 value, u64 bytes) {
  const u64 unused = 64 - 8 * bytes;
  return static_cast<i64>(value << unused) >> unused;
}

// The waits

void enter_semaphore(Hook& hook) {
  const GuestAddr address = hook.arguments[0];
  Value& value = awaited_at(address, *reinterpret_cast<const int*>(address));
  value.is_semaphore = true;
  hook.kept = reinterpret_cast<void*>(value.taken);
}
// Without debug information nobody was seen to take anything.
void leave_semaphore(Hook& hook) {
  without_partner += awaited_at(hook.arguments[0], 0).taken == reinterpret_cast<u64>(hook.kept);
}

void enter_wait(Hook& hook) { awaited_at(hook.arguments[0], 0); }
void leave_wait(Hook& hook) {
  const Value& value = awaited_at(hook.arguments[0], 0);
  without_partner += value.changed.node == nullptr;
  engine().observe_copy(span(), value.changed);
}

// By address and the phase that is waited for, a byte: the second word of the wait's predicate.
GuestAddr phase_of(const Hook& hook) {
  return hook.arguments[0] ^ static_cast<u64>(static_cast<u8>(hook.arguments[2])) << 56;
}
void enter_barrier(Hook& hook) {
  PathPoint here = engine().publish(span());
  paths().gather(awaited_at(phase_of(hook), 0).changed, here);
}
// The last to arrive has stored the next phase.
void leave_barrier(Hook& hook) {
  engine().observe_copy(span(), awaited_at(phase_of(hook), 0).changed);
  engine().observe_copy(span(), awaited_at(hook.arguments[0], 0).changed);
}

// Compilers keep there what does not fit into registers.
bool is_in_frame(GuestAddr address) {
  constexpr u64 kBelow = 128;
  constexpr u64 kLargest = 4096;
  const GuestAddr sp = guest::stack_pointer();
  const GuestAddr fp = guest::frame_pointer();
  return address + kBelow >= sp && address < (fp - sp < kLargest ? fp : sp);
}

} // namespace

const shadow::Hooked hooks[] = {
    {"void std::__atomic_wait_address*<std::__atomic_semaphore::*", enter_semaphore,
     leave_semaphore},
    {"void std::__atomic_wait_address*std::__tree_barrier<*", enter_barrier, leave_barrier},
    {"void std::__atomic_wait_address*", enter_wait, leave_wait},
    {nullptr, nullptr, nullptr},
};

void changed(GuestAddr address, u64 bytes, u64 before, u64 after) {
  if (shadow::threads() < 2)
    return;
  shadow::settle();
  const i64 from = signed_value(before, bytes);
  const i64 more = signed_value(after, bytes) - from;
  Value& value = value_at(address, from);
  if (value.is_semaphore && more < 0)
    return come_after_post(value);
  PathPoint here = engine().publish(span());
  count_posts(value, more, here);
  paths().gather(value.changed, here);
}

void stored(GuestAddr address, u64 bytes, u64 now) {
  if (shadow::threads() < 2 || is_in_frame(address))
    return;
  shadow::settle();
  Value& value = value_at(address, 0);
  begin_posts(value, signed_value(now, bytes));
  paths().gather(value.changed, engine().publish(span()));
}

u64 unseen() { return without_partner; }
void forget_totals() { without_partner = 0; }

} // namespace atomic_waits
