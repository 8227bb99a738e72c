#include "work_span/runtimes/work_counters.hpp"

#include "base/address_map.hpp"
#include "base/lazy.hpp"
#include "base/vector.hpp"
#include "trace/stacks.hpp"
#include "work_span/order/locks.hpp"
#include "work_span/runtimes/shares.hpp"
#include "work_span/runtimes/tasks.hpp"

#include <algorithm>

namespace work_counters {
namespace {

constexpr unsigned kBits = 10;
// From when it has a value until it is set to another. `distinct_from`: no thread has taken
// anything twice since then.
struct Taker {
  u64 latest = 0; // the number of its latest take, from 1
  u64 takes = 0;
};

struct Counter {
  u64 key = 0;        // its address, or a hash
  GuestAddr lock = 0; // of which the acquisitions are counted
  u64 value = 0;      // after the latest change
  u64 step = 0;       // 0: nothing was taken
  u64 takes = 0;
  u64 distinct_from = 0;
  u64 most = 0;  // by one thread
  Share share{}; // of all
  bool is_regular = true;
  bool is_of_queue = false;
  u64 first = 0; // the first thread; it is in the map only when there is something else
  AddressMap<Taker> takers{"cilkshadow.counters"}; // by thread

  void begin() {
    value = step = takes = distinct_from = most = 0;
    share = {};
    is_regular = true;
    is_of_queue = false;
    takers.clear();
  }
  // All threads have found that nothing is left, and one took more than the mean. If all took as
  // many, each may have counted what is its own; on no more processors than threads, the times are
  // the same either way.
  u64 iterations() const {
    const u64 threads = takers.size();
    const bool is_left_by_all = takes - distinct_from == threads;
    const bool is_uneven = (most - 1) * threads >= takes;
    return is_regular && !is_of_queue && threads > 1 && is_left_by_all && is_uneven
               ? takes - threads
               : 0;
  }
};

Lazy<Vector<Counter*>> counters{"cilkshadow.counters"};     // by hash of the address
Lazy<AddressMap<u64>> iterations_of{"cilkshadow.counters"}; // of loops, by division

// Under a lock with a condition, threads take what others have put there, perhaps meanwhile. Who
// need not wait for that has no order after it, which it would have to come after.
bool has_condition(GuestAddr lock) {
  const locks::Lock* known = locks::known_at(lock);
  return known != nullptr && known->has_condition();
}

void judge(Counter& counter) {
  if (counter.lock != 0 && has_condition(counter.lock))
    counter.is_of_queue = true;
  if (const u64 iterations = counter.iterations(); iterations > 0)
    iterations_of->at(counter.share.division) = iterations;
}

Counter& counter_at(u64 key) {
  if (counters->empty())
    counters->resize(std::size_t{1} << kBits);
  Counter*& counter = (*counters)[key * 0x9E3779B97F4A7C15u >> (64 - kBits)];
  if (counter == nullptr)
    counter = create<Counter>("cilkshadow.counters");
  if (counter->key != key) {
    judge(*counter);
    counter->begin();
    counter->key = key;
    counter->lock = 0;
  }
  return *counter;
}

// Locks of a table of many are acquired by other calls in between: these have no map.
void take(Counter& counter) {
  const u64 thread = index(shadow::running()->client);
  const u64 take = ++counter.takes;
  if (take == 1) {
    counter.first = thread;
  } else {
    if (take == 2)
      counter.takers.at(counter.first) = {.latest = 1, .takes = 1};
    Taker& taker = counter.takers.at(thread);
    counter.distinct_from = std::max(counter.distinct_from, taker.latest);
    taker.latest = take;
    counter.most = std::max(counter.most, ++taker.takes);
  }
  if (counter.is_regular)
    shares::begin_of_taken(counter.share, take - 1);
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
  if (counter.takes > 0 && counter.value != before) {
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
  Counter& counter = counter_at(hash_of_calls(lock, returned_to));
  counter.lock = lock;
  counter.is_of_queue |= has_condition(lock); // that may be gone in the end, with the lock
  take(counter);
}

void judge() {
  if (const Vector<Counter*>* used = counters.if_used())
    for (Counter* counter : *used)
      if (counter != nullptr)
        judge(*counter);
}

// Folded chunks may include that one thread, or several, found nothing: of several that are not all
// numbers in between, one is taken off, at least.
Share judged(const Share& share) {
  if (!share.is_uncertain())
    return share;
  AddressMap<u64>* loops = iterations_of.if_used();
  const u64* iterations = loops != nullptr ? loops->find(share.division) : nullptr;
  if (iterations == nullptr)
    return {};
  Share found = share;
  found.of = found.iterations = *iterations;
  if (share.to > found.of) {
    found.from = std::min(share.from, found.of);
    found.to = found.of;
    const u64 all = found.to - found.from;
    const u64 own = share.others == 0 ? all : std::min(share.taken() - 1, all);
    found.others = all - own;
  }
  return found;
}

} // namespace work_counters
