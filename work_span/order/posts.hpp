// What a semaphore grants: its n-th wait comes after its n-th post. Those that it began with come
// after nothing.
#pragma once

#include "work_span/engine/path.hpp"

#include <algorithm>
#include <utility>

class Posts {
public:
  bool empty() const { return size() == 0; }
  u64 size() const { return granted_ + made(); }
  u64 made() const { return posts_.size() - first_; } // since it began

  // A new semaphore's, which has granted so many.
  void begin(Paths& paths, u64 granted) {
    granted_ = 0;
    while (!empty())
      drop_oldest(paths);
    granted_ = granted;
  }
  void push(PathPoint point) { posts_.push_back(point); }
  // The oldest. There must be one.
  PathPoint take() {
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
    PathPoint oldest = take();
    paths.drop(oldest);
  }

  u64 granted_ = 0;                                 // come first
  Vector<PathPoint> posts_{"cilkshadow.semaphore"}; // from first_ on
  std::size_t first_ = 0;
};
