// The posts of a semaphore that have not been waited for: the n-th wait comes after the n-th post.
// Waits that are granted by the initial value come first, and are ordered after nothing.
//
// Owns the points of these posts. A post or a wait costs O(1) amortised.
#pragma once

#include "work_span/engine/path.hpp"

#include <algorithm>
#include <utility>

class SemaphoreQueue {
public:
  bool empty() const { return size() == 0; }
  u64 size() const { return granted_ + posted(); }
  u64 posted() const { return posts_.size() - first_; } // size() without the initial value

  // A new semaphore begins with this value.
  void begin(Paths& paths, u64 value) {
    granted_ = 0;
    while (!empty())
      drop_oldest(paths);
    granted_ = value;
  }
  void post(PathPoint point) { posts_.push_back(point); }
  // Takes the oldest post; the queue must not be empty.
  PathPoint wait() {
    if (granted_ > 0) {
      granted_--;
      return {};
    }
    PathPoint oldest = std::exchange(posts_[first_++], {});
    if (2 * first_ >= posts_.size()) {
      std::copy(posts_.begin() + first_, posts_.end(), posts_.begin());
      posts_.resize(size());
      first_ = 0;
    }
    return oldest;
  }

private:
  void drop_oldest(Paths& paths) {
    PathPoint oldest = wait();
    paths.drop(oldest);
  }

  u64 granted_ = 0;
  Vector<PathPoint> posts_{"cilkshadow.semaphore"}; // the oldest is at first_
  std::size_t first_ = 0;
};
