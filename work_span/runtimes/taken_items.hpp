// What threads take, one item after another, from a counter or list that they share: whether it is
// a loop, any of whose items each of them could have taken, and how many it has.
//
// With T threads, the last T takes of such a loop are those of T different threads, which have
// found nothing left and do not come again. Other counters, of what is done or of names, are not
// left alone by all threads at once, unless these have equal parts: then each takes as many, and
// each may have counted what is its own. On no more processors than threads, the times are the same
// either way.
#pragma once

#include "base/address_map.hpp"
#include "work_span/dag/strands.hpp"

#include <algorithm>

class TakenItems {
public:
  // O(1). What a single thread takes needs no map: most locks are of one thread.
  void take(u64 thread) {
    before_ = {.distinct_from = distinct_from_, .most = most_};
    takes_++;
    if (takes_ == 1)
      first_ = thread;
    if (thread == first_ && takers_.size() == 0) {
      most_ = takes_;
      return;
    }
    if (takers_.size() == 0) {
      takers_.at(first_) = {.latest = takes_ - 1, .takes = takes_ - 1};
      before_.distinct_from = distinct_from_ = takes_ - 2;
      threads_ = 1;
    }
    Taker& taker = takers_.at(thread);
    before_.latest = taker.latest;
    distinct_from_ = std::max(distinct_from_, taker.latest);
    taker.latest = takes_;
    most_ = std::max(most_, ++taker.takes);
    threads_ += taker.takes == 1;
  }
  // The latest take, by that thread, was none: it waits for an item.
  void withdraw(u64 thread) {
    takes_--;
    most_ = before_.most;
    if (takers_.size() == 0)
      return;
    distinct_from_ = before_.distinct_from;
    Taker& taker = takers_.at(thread);
    taker.latest = before_.latest;
    threads_ -= --taker.takes == 0;
  }
  u64 takes() const { return takes_; }
  bool is_of_one_thread() const { return takers_.size() == 0; }

  // Of the loop, without those that found nothing; 0: it is none.
  u64 iterations() const {
    const u64 threads = threads_;
    const bool is_left_by_all = takes_ - distinct_from_ == threads;
    const bool is_uneven = (most_ - 1) * threads >= takes_;
    return threads > 1 && is_left_by_all && is_uneven ? takes_ - threads : 0;
  }

  void clear() {
    takes_ = most_ = distinct_from_ = first_ = threads_ = 0;
    takers_.clear();
  }

private:
  struct Taker {
    u64 latest = 0; // the number of its latest take, from 1
    u64 takes = 0;
  };
  struct BeforeTake { // the latest one
    u64 distinct_from = 0;
    u64 most = 0;
    u64 latest = 0; // of its thread
  };

  u64 takes_ = 0;
  u64 most_ = 0;          // by one thread
  u64 distinct_from_ = 0; // no thread has taken anything twice since then
  u64 first_ = 0;         // the first thread
  u64 threads_ = 0;       // that have taken anything; 0 while there is one
  BeforeTake before_{};
  AddressMap<Taker> takers_{"cilkshadow.counters"}; // by thread; empty while there is one
};

// The share of a loop that turns out to have so many iterations. Folded chunks may include that one
// thread, or several, found nothing: of several that are not all numbers in between, one is taken
// off, at least.
inline Share with_iterations(Share share, u64 iterations) {
  const u64 taken = share.taken();
  const bool is_mixed = share.others > 0;
  share.of = share.iterations = iterations;
  if (share.to <= iterations)
    return share;
  share.from = std::min(share.from, iterations);
  share.to = iterations;
  const u64 all = share.to - share.from;
  share.others = is_mixed ? all - std::min(taken - 1, all) : 0;
  return share;
}
