#include "work_span/runtimes/work_counters.hpp"

#include "base/address_map.hpp"
#include "base/associative_cache.hpp"
#include "base/lazy.hpp"
#include "base/vector.hpp"
#include "trace/stacks.hpp"
#include "work_span/order/locks.hpp"
#include "work_span/runtimes/shares.hpp"
#include "work_span/runtimes/taken_items.hpp"
#include "work_span/runtimes/tasks.hpp"

#include <algorithm>

namespace work_counters {
namespace {

// From when it has a value until it is set to another. Some 200 bytes, and 2 KB if it is of several
// threads.
struct Counter {
  u64 value = 0; // after the latest change
  u64 step = 0;  // 0: nothing was taken
  TakenItems items{};
  Share share{}; // of all
  bool is_regular = true;

  void begin() {
    value = step = 0;
    items.clear();
    share = {};
    is_regular = true;
  }
  u64 iterations() const { return is_regular ? items.iterations() : 0; }
};

// By address, or a hash. Nearly all of many counters are locks that are taken a few times: they
// replace each other in place, where a map would allocate.
Lazy<AssociativeCache<Counter>> counters{"cilkshadow.counters"};
Lazy<AddressMap<u64>> iterations_of{"cilkshadow.counters"}; // of loops, by division
std::size_t many_loops = 4096;                              // twice those that were kept

// Loops of which no strand has a share any more, as all were folded.
void forget_folded_loops() {
  Vector<Share> kept{"cilkshadow.counters"};
  const Strands& strands = shadow::state->dag->strands();
  for (u32 i = 1; i < strands.end(); i++)
    if (const Strand& strand = strands[StrandId{i}]; strand.is_used && strand.share.is_uncertain())
      if (const u64* iterations = iterations_of->find(strand.share.division))
        kept.emplace_back(strand.share).iterations = *iterations;
  iterations_of->clear();
  for (const Share& share : kept)
    iterations_of->at(share.division) = share.iterations;
  many_loops = std::max(many_loops, 2 * iterations_of->size());
}

void judge(Counter& counter) {
  const u64 iterations = counter.iterations();
  if (iterations == 0)
    return;
  iterations_of->at(counter.share.division) = iterations;
  if (iterations_of->size() >= many_loops)
    forget_folded_loops();
}

Counter& counter_at(u64 key) {
  return counters->at(key, [](Counter& other) {
    judge(other);
    other.begin();
  });
}

void take(Counter& counter) {
  counter.items.take(index(shadow::running()->client));
  if (counter.is_regular)
    shares::begin_of_taken(counter.share, counter.items.takes() - 1);
}

// Loops of a run-time library have shares of their own.
bool may_take() {
  if (shadow::state->dag == nullptr || shadow::threads() < 2)
    return false;
  shadow::flush_log();
  if (shadow::running() == nullptr)
    return false;
  const tasks::Task& task = tasks::current(*shadow::running());
  return task.team == nullptr && task.parent == nullptr && task.span == nullptr;
}

// Of a lock, and of the innermost calls of the running thread: a class for locks makes the calls
// that acquire them.
u64 hash_of_calls(GuestAddr lock, GuestAddr returned_to) {
  constexpr std::size_t kMostCalls = 8;
  constexpr u64 kOdd = 0x9E3779B97F4A7C15u;
  const CallStack& calls = threads::current->calls;
  u64 hash = lock * kOdd ^ returned_to;
  for (std::size_t i = calls.depth(), most = kMostCalls; i-- > 0 && most-- > 0;)
    hash = hash * kOdd ^ calls[i].return_address;
  return hash;
}

} // namespace

void taken(GuestAddr address, u64 bytes, u64 before, u64 after) {
  if (!may_take())
    return;
  const u64 mask = ~u64{0} >> (64 - 8 * bytes);
  const u64 step = (after - before) & mask;
  Counter& counter = counter_at(address);
  if (counter.items.takes() > 0 && counter.value != before) {
    judge(counter);
    counter.begin();
  }
  counter.value = after;
  if (counter.step != 0 && counter.step != step)
    counter.is_regular = false;
  counter.step = step;
  take(counter);
}

void acquired(GuestAddr lock, GuestAddr returned_to) {
  if (!may_take())
    return;
  shadow::LockUse& use = shadow::running()->lock;
  const bool has_waited = returned_to == 0 && use.counted == lock;
  if (!has_waited)
    use.counter = hash_of_calls(lock, returned_to);
  use.counted = lock;
  take(counter_at(use.counter));
}

void waits(GuestAddr lock) {
  if (!may_take())
    return;
  const shadow::LockUse& use = shadow::running()->lock;
  if (use.counted != lock)
    return;
  Counter& counter = counter_at(use.counter);
  if (counter.items.takes() == 0) // another one has replaced it
    return;
  counter.items.withdraw(index(shadow::running()->client));
  if (counter.is_regular)
    counter.is_regular = shares::withdraw_taken(counter.share, counter.items.takes());
}

void judge() {
  if (AssociativeCache<Counter>* used = counters.if_used())
    used->for_each([](Counter& counter) { judge(counter); });
}

Share judged(const Share& share) {
  if (!share.is_uncertain())
    return share;
  AddressMap<u64>* loops = iterations_of.if_used();
  const u64* iterations = loops != nullptr ? loops->find(share.division) : nullptr;
  return iterations != nullptr ? with_iterations(share, *iterations) : Share{};
}

} // namespace work_counters
