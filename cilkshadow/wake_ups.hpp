// The signals and broadcasts of a condition, each for somebody who waited when it came. A broadcast
// is one for each whom none was for before.
//
// Whom of those who wait a signal is for, nobody knows until they go on: each gets the oldest that
// came after it had begun to wait. So who waits again gets none from before, although others have
// not gone on yet.
//
// Who has been woken may still wait for the mutex, while another whom the same broadcast woke goes
// on, changes what both wait for, and broadcasts. With the mutex it would have found nothing to go
// on with, and waited again: it comes after that one, too.
#pragma once

#include "cilkshadow/path.hpp"

#include <utility>

class WakeUps {
public:
  bool anybody_waits() const { return posts_.size() < waiters_.size(); } // without one
  bool has_waiters() const { return !waiters_.empty(); }

  // Returns the waiter's number.
  u64 begin_wait() { return waiters_.push_back(++time_); }
  void push(PathPoint by) { posts_.push_back({++time_, by}); }

  // A waiter has been woken: by what; by nothing that is known, if that is nowhere.
  PathPoint woken(u64 waiter) {
    const bool is_known = forget(waiter);
    const std::size_t its = first_after(waiter);
    return is_known && its < posts_.size() ? take(its) : PathPoint{};
  }
  // A waiter went on by itself. If one of those that came must have been for it, that is gone.
  void gave_up(Paths& paths, u64 waiter) {
    if (!forget(waiter) || !lacks_waiters())
      return;
    PathPoint its = take(first_after(waiter));
    paths.drop(its);
  }
  // A broadcast by who has been woken here and has the mutex since.
  void overtake(Paths& paths, PathPoint by) {
    paths.drop(overtaking_.by);
    overtaking_ = {++time_, by};
  }
  // The latest of them since the waiter began to wait: nowhere if there is none.
  PathPoint overtaken(u64 waiter) const {
    return overtaking_.time > waiter ? overtaking_.by : PathPoint{};
  }
  void clear(Paths& paths) {
    paths.drop(overtaking_.by);
    overtaking_ = {};
    for (Post& post : posts_)
      paths.drop(post.by);
    posts_.clear();
    waiters_.clear();
  }

private:
  struct Post {
    u64 time = 0;
    PathPoint by{};
  };

  // True if it is one.
  bool forget(u64 waiter) { return remove(waiters_, find(waiters_, waiter)); }
  static std::size_t find(const Vector<u64>& waiters, u64 waiter) {
    std::size_t i = 0;
    while (i < waiters.size() && waiters[i] != waiter)
      i++;
    return i;
  }
  std::size_t first_after(u64 waiter) const {
    std::size_t i = 0;
    while (i < posts_.size() && posts_[i].time < waiter)
      i++;
    return i;
  }
  PathPoint take(std::size_t i) {
    const PathPoint by = posts_[i].by;
    remove(posts_, i);
    return by;
  }
  // Some have come of which fewer waited then.
  bool lacks_waiters() const {
    std::size_t waited = 0;
    for (std::size_t i = 0; i < posts_.size(); i++) {
      while (waited < waiters_.size() && waiters_[waited] < posts_[i].time)
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

  Vector<u64> waiters_{"cilkshadow.condition"}; // by time, and so are the posts
  Vector<Post> posts_{"cilkshadow.condition"};
  Post overtaking_;
  u64 time_ = 0;
};
