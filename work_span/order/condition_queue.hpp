// Determines which signal of a condition variable woke which waiter.
//
// Whom a signal is for is not known until the waiter continues. Each waiter gets the oldest signal
// that came after it had begun to wait; so a thread that waits again gets no earlier signal, even
// if others have not continued yet. A broadcast is one signal for each waiter that had none.
//
// If a thread signals without holding the mutex, other threads may begin to wait during the signal
// and be woken by it. A signal that nobody else waits for is spare: it is only for such threads,
// and only if no later signal is for them.
//
// A woken thread may still be waiting for the mutex while another one, woken by the same broadcast,
// continues, changes what both wait for, and broadcasts again. Had it got the mutex first, it would
// have waited again. So it comes after the other thread, too: it was overtaken.
//
// Owns the points of signals that nobody has taken. Costs O(waiters + signals) per event.
#pragma once

#include "work_span/engine/path.hpp"

#include <algorithm>
#include <utility>

class ConditionQueue {
public:
  // Whether there is a waiter without a signal.
  bool lacks_signals() const { return signals_.size() < waiters_.size(); }
  bool has_waiters() const { return !waiters_.empty(); }

  // Returns the waiter's number.
  u64 begin_wait() { return waiters_.push_back(++time_); }
  // A signal that is over at once.
  void signal(PathPoint by) { signals_.push_back({++time_, time_, by}); }
  // A signal that lasts until end_signal. Returns its number.
  u64 begin_signal(PathPoint by) {
    (lacks_signals() ? signals_ : spare_).push_back({++time_, kLasts, by});
    return time_;
  }
  void end_signal(Paths& paths, u64 number) {
    time_++;
    for (Vector<Signal>* signals : {&signals_, &spare_})
      for (Signal& signal : *signals)
        if (signal.time == number)
          signal.end = time_;
    drop_spare(paths);
  }

  // The waiter continues. Returns the signal that woke it; an empty point if none is known.
  PathPoint wake(Paths& paths, u64 waiter) {
    const PathPoint by = forget(waiter) ? take_for(waiter) : PathPoint{};
    drop_spare(paths);
    return by;
  }
  // The waiter continues by itself. A signal that must have been for it is dropped.
  void give_up(Paths& paths, u64 waiter) {
    if (forget(waiter) && lacks_waiters()) {
      PathPoint its = take(signals_, first(signals_, &Signal::time, waiter));
      paths.drop(its);
    }
    drop_spare(paths);
  }
  // A broadcast by a thread that was woken here and has held the mutex since.
  void overtake(Paths& paths, PathPoint by) {
    paths.drop(overtaking_.by);
    overtaking_ = {++time_, time_, by};
  }
  // The latest of these since the waiter began to wait; an empty point if there is none.
  PathPoint overtaken(u64 waiter) const {
    return overtaking_.time > waiter ? overtaking_.by : PathPoint{};
  }
  void clear(Paths& paths) {
    paths.drop(overtaking_.by);
    overtaking_ = {};
    for (Vector<Signal>* signals : {&signals_, &spare_}) {
      for (Signal& signal : *signals)
        paths.drop(signal.by);
      signals->clear();
    }
    waiters_.clear();
  }

private:
  static constexpr u64 kLasts = ~u64{0};
  struct Signal {
    u64 time = 0;
    u64 end = 0;
    PathPoint by{};
  };

  // Returns false if the waiter is not there any more.
  bool forget(u64 waiter) { return remove(waiters_, find(waiters_, waiter)); }
  static std::size_t find(const Vector<u64>& waiters, u64 waiter) {
    std::size_t i = 0;
    while (i < waiters.size() && waiters[i] != waiter)
      i++;
    return i;
  }
  // The first signal that came, or ended, after the waiter had begun.
  static std::size_t first(const Vector<Signal>& signals, u64 Signal::*when, u64 waiter) {
    std::size_t i = 0;
    while (i < signals.size() && signals[i].*when < waiter)
      i++;
    return i;
  }
  static PathPoint take(Vector<Signal>& signals, std::size_t i) {
    if (i == signals.size())
      return {};
    const PathPoint by = signals[i].by;
    remove(signals, i);
    return by;
  }
  PathPoint take_for(u64 waiter) {
    for (u64 Signal::*when : {&Signal::time, &Signal::end})
      if (const std::size_t its = first(signals_, when, waiter); its < signals_.size())
        return take(signals_, its);
    return take(spare_, first(spare_, &Signal::end, waiter));
  }
  // Drops spare signals that are over and for nobody any more.
  void drop_spare(Paths& paths) {
    for (std::size_t i = spare_.size(); i-- > 0;) {
      const Signal& signal = spare_[i];
      const bool is_for_somebody = std::any_of(waiters_.begin(), waiters_.end(), [&](u64 waiter) {
        return signal.time < waiter && waiter < signal.end;
      });
      if (signal.end == kLasts || is_for_somebody)
        continue;
      PathPoint nobodys = take(spare_, i);
      paths.drop(nobodys);
    }
  }
  // Whether some signal came when there were fewer waiters than signals so far.
  bool lacks_waiters() const {
    std::size_t waited = 0;
    for (std::size_t i = 0; i < signals_.size(); i++) {
      while (waited < waiters_.size() && waiters_[waited] < signals_[i].time)
        waited++;
      if (waited <= i)
        return true;
    }
    return false;
  }
  template <typename T> static bool remove(Vector<T>& from, std::size_t i) {
    if (i >= from.size())
      return false;
    for (; i + 1 < from.size(); i++)
      from[i] = from[i + 1];
    from.pop_back();
    return true;
  }

  Vector<u64> waiters_{"cilkshadow.condition"}; // by time, like the signals
  Vector<Signal> signals_{"cilkshadow.condition"};
  Vector<Signal> spare_{"cilkshadow.condition"};
  Signal overtaking_;
  u64 time_ = 0;
};
