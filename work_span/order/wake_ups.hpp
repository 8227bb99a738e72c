// The signals and broadcasts of a condition, each for somebody who waited when it came. A broadcast
// is one for each whom none was for before.
//
// Whom of those who wait a signal is for, nobody knows until they go on: each gets the oldest that
// came after it had begun to wait. So who waits again gets none from before, although others have
// not gone on yet.
//
// Without the mutex others may begin to wait while somebody signals: they may be the ones whom it
// wakes, as long as it lasts. If nobody else waits for a signal when it comes, it is spare: for
// those only, and only if nothing comes later for them.
//
// Who has been woken may still wait for the mutex, while another whom the same broadcast woke goes
// on, changes what both wait for, and broadcasts. With the mutex it would have found nothing to go
// on with, and waited again: it comes after that one, too.
#pragma once

#include "work_span/engine/path.hpp"

#include <algorithm>
#include <utility>

class WakeUps {
public:
  bool anybody_waits() const { return posts_.size() < waiters_.size(); } // without one
  bool has_waiters() const { return !waiters_.empty(); }

  // Returns the waiter's number.
  u64 begin_wait() { return waiters_.push_back(++time_); }
  void push(PathPoint by) { posts_.push_back({++time_, time_, by}); }
  // The same of what lasts. Returns its number.
  u64 begin_signal(PathPoint by) {
    (anybody_waits() ? posts_ : spare_).push_back({++time_, kLasts, by});
    return time_;
  }
  void end_signal(Paths& paths, u64 number) {
    time_++;
    for (Vector<Post>* posts : {&posts_, &spare_})
      for (Post& post : *posts)
        if (post.time == number)
          post.end = time_;
    drop_spare(paths);
  }

  // A waiter has been woken: by what; by nothing that is known, if that is nowhere.
  PathPoint woken(Paths& paths, u64 waiter) {
    const PathPoint by = forget(waiter) ? take_its(waiter) : PathPoint{};
    drop_spare(paths);
    return by;
  }
  // A waiter went on by itself. If one of those that came must have been for it, that is gone.
  void gave_up(Paths& paths, u64 waiter) {
    if (forget(waiter) && lacks_waiters()) {
      PathPoint its = take(posts_, first(posts_, &Post::time, waiter));
      paths.drop(its);
    }
    drop_spare(paths);
  }
  // A broadcast by who has been woken here and has the mutex since.
  void overtake(Paths& paths, PathPoint by) {
    paths.drop(overtaking_.by);
    overtaking_ = {++time_, time_, by};
  }
  // The latest of them since the waiter began to wait: nowhere if there is none.
  PathPoint overtaken(u64 waiter) const {
    return overtaking_.time > waiter ? overtaking_.by : PathPoint{};
  }
  void clear(Paths& paths) {
    paths.drop(overtaking_.by);
    overtaking_ = {};
    for (Vector<Post>* posts : {&posts_, &spare_}) {
      for (Post& post : *posts)
        paths.drop(post.by);
      posts->clear();
    }
    waiters_.clear();
  }

private:
  static constexpr u64 kLasts = ~u64{0};
  struct Post {
    u64 time = 0;
    u64 end = 0;
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
  // That came, or ended, after the waiter had begun.
  static std::size_t first(const Vector<Post>& posts, u64 Post::*when, u64 waiter) {
    std::size_t i = 0;
    while (i < posts.size() && posts[i].*when < waiter)
      i++;
    return i;
  }
  static PathPoint take(Vector<Post>& posts, std::size_t i) {
    if (i == posts.size())
      return {};
    const PathPoint by = posts[i].by;
    remove(posts, i);
    return by;
  }
  PathPoint take_its(u64 waiter) {
    for (u64 Post::*when : {&Post::time, &Post::end})
      if (const std::size_t its = first(posts_, when, waiter); its < posts_.size())
        return take(posts_, its);
    return take(spare_, first(spare_, &Post::end, waiter));
  }
  // What nobody is left for.
  void drop_spare(Paths& paths) {
    for (std::size_t i = spare_.size(); i-- > 0;) {
      const Post& post = spare_[i];
      const bool is_for_somebody = std::any_of(waiters_.begin(), waiters_.end(), [&](u64 waiter) {
        return post.time < waiter && waiter < post.end;
      });
      if (post.end == kLasts || is_for_somebody)
        continue;
      PathPoint nobodys = take(spare_, i);
      paths.drop(nobodys);
    }
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
  Vector<Post> spare_{"cilkshadow.condition"};
  Post overtaking_;
  u64 time_ = 0;
};
