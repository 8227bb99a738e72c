// Points by ticket, which come nearly in order, and each of which is taken once.
#pragma once

#include "base/vector.hpp"
#include "work_span/state/state.hpp"

#include <utility>

// If there are more than `most` that nobody takes, the oldest are dropped. O(1) amortised.
class Tickets {
public:
  Tickets() = default;
  explicit Tickets(std::size_t most) : most_(most) {}
  Tickets(Tickets&&) = default;
  ~Tickets() { drop_all(); }

  // The first of a ticket counts.
  void put(u64 ticket, PathPoint point) {
    if (points_.size() >= most_)
      drop_first(most_ / 2);
    if (points_.empty())
      first_ = ticket;
    if (ticket < first_)
      return shadow::paths().drop(point);
    while (ticket - first_ >= points_.size())
      points_.push_back({});
    if (PathPoint& slot = points_[ticket - first_]; slot.node == nullptr)
      slot = point;
    else
      shadow::paths().drop(point);
  }
  // Empty if there is none.
  PathPoint take(u64 ticket) {
    if (ticket < first_ || ticket - first_ >= points_.size())
      return {};
    const PathPoint found = std::exchange(points_[ticket - first_], {});
    if (++taken_ > points_.size() / 2)
      drop_first(empty_at_front());
    return found;
  }

  void drop_all() { drop_first(points_.size()); }

private:
  std::size_t empty_at_front() const {
    std::size_t count = 0;
    while (count < points_.size() && points_[count].node == nullptr)
      count++;
    return count;
  }
  void drop_first(std::size_t count) {
    for (std::size_t i = 0; i < count; i++)
      shadow::paths().drop(points_[i]);
    const std::size_t left = points_.size() - count;
    for (std::size_t i = 0; i < left; i++)
      points_[i] = points_[i + count];
    points_.resize(left);
    first_ += count;
    taken_ = 0;
  }

  std::size_t most_ = ~std::size_t{0};
  u64 first_ = 0;
  std::size_t taken_ = 0; // since points were dropped
  Vector<PathPoint> points_{"cilkshadow.tbb"};
};
