// Recognises a barrier made of a mutex and a condition: threads wait, except the last, which
// broadcasts. All that wait come before it.
//
// A condition belongs to a barrier once a thread that could have waited there broadcasts instead
// (turns.hpp); that first round is not ordered. It does not if a thread that was woken waits again
// before it has released the mutex: then threads take turns. A thread that broadcasts comes last if
// nobody has signalled since it was here before; otherwise its turn has come.
//
// Owns a point after all that wait. O(1) per event.
#pragma once

#include "base/vector.hpp"
#include "work_span/engine/path.hpp"

class ConditionBarrier {
public:
  void found() { is_found_ = true; }
  void found_turns() { has_turns_ = true; }
  bool is_known() const { return is_found_ && !has_turns_; }

  // A thread waits, after that point.
  void arrives(Paths& paths, PathPoint point) { paths.gather(waiting_, point); }
  bool is_completed_by(std::size_t thread) const {
    return is_known() && thread < seen_.size() && seen_[thread] == signals_;
  }
  // Those that wait.
  const PathPoint& waiting() const { return waiting_; }

  void signals(Paths& paths, std::size_t thread, bool wakes_all) {
    signals_++;
    sees(thread);
    if (wakes_all)
      paths.drop(waiting_);
  }
  // The thread was woken, or has signalled.
  void sees(std::size_t thread) {
    if (seen_.size() <= thread)
      seen_.resize(thread + 1);
    seen_[thread] = signals_;
  }
  void clear(Paths& paths) {
    paths.drop(waiting_);
    is_found_ = has_turns_ = false;
  }

private:
  PathPoint waiting_{};
  u64 signals_ = 0;
  Vector<u64> seen_{
      "cilkshadow.condition"}; // by thread: signals when it was last woken or signalled
  bool is_found_ = false, has_turns_ = false;
};
