// What a semaphore grants: its n-th wait comes after its n-th post. Those that it began with come
// after nothing.
#pragma once

#include "cilkshadow/path.hpp"

#include <algorithm>
#include <utility>

class Posts {
public:
  bool empty() const { return first_ == posts_.size(); }
  std::size_t size() const { return posts_.size() - first_; }

  void push(PathPoint point) { posts_.push_back(point); }
  // The oldest. There must be one.
  PathPoint take() {
    PathPoint oldest = std::exchange(posts_[first_++], {});
    if (2 * first_ >= posts_.size()) {
      std::copy(posts_.begin() + first_, posts_.end(), posts_.begin());
      posts_.resize(size());
      first_ = 0;
    }
    return oldest;
  }

private:
  Vector<PathPoint> posts_{"cilkshadow.semaphore"}; // from first_ on
  std::size_t first_ = 0;
};
