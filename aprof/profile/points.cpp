#include "aprof/profile/points.hpp"

#include <algorithm>
#include <bit>

void CostStatistics::add(const CostStatistics& other) {
  min = std::min(min, other.min);
  max = std::max(max, other.max);
  sum += other.sum;
  set_squares(squares() + other.squares());
}

u64 PointTable::key_of(u64 size) const {
  if (precision_ == 0)
    return size;
  const unsigned digits = static_cast<unsigned>(std::bit_width(size));
  return digits <= precision_ ? size : size >> (digits - precision_) << (digits - precision_);
}

[[gnu::always_inline]] inline std::size_t PointTable::point_of(u64 size) {
  const u64 key = key_of(size);
  if (last_ >= points_.size() || points_[last_].key != key)
    last_ = find_or_add(key);
  return last_;
}

void PointTable::add_alike(u64 size, u64 inclusive, u64 self, u64 children_rms, u64 times) {
  const std::size_t at = point_of(size);
  points_[at].size += times * size;
  points_[at].calls += times;
  points_[at].children_rms += children_rms;
  statistics_[2 * at].add(inclusive, times);
  statistics_[2 * at + 1].add(self, times);
  if (points_.size() > max_points_)
    coarsen();
}

void PointTable::add(u64 size, const Sample& sample, const CostEvent* events) {
  const std::size_t at = point_of(size);
  Point& point = points_[at];
  point.size += size;
  point.calls++;
  point.induced_by_thread += sample.induced_by_thread;
  point.induced_by_kernel += sample.induced_by_kernel;
  point.children_rms += sample.children_rms;
  CostStatistics* statistics = &statistics_[at * stride()];
  for (unsigned i = 0; i < events_; i++) {
    const auto event = static_cast<unsigned>(events[i]);
    statistics[2 * i].add(sample.inclusive.of[event]);
    statistics[2 * i + 1].add(sample.self.of[event]);
  }
  if (points_.size() > max_points_)
    coarsen();
}

std::size_t PointTable::find_or_add(u64 key) {
  const auto key_at = [this](std::size_t i) { return points_[i].key; };
  if (points_.size() <= kLinear) {
    for (std::size_t i = 0; i < points_.size(); i++)
      if (points_[i].key == key)
        return i;
  } else if (const std::size_t found = index_.find(key, key_at); found != InlineHashIndex::kNone) {
    return found;
  }
  const std::size_t added = points_.size();
  if (added == 0) { // there are threads times routines tables, and most have one point
    points_.reserve(1);
    statistics_.reserve(stride());
  }
  points_.push_back({.key = key});
  for (std::size_t s = 0; s < stride(); s++)
    statistics_.push_back({});
  if (added == kLinear) // too many for a linear search from now on
    for (std::size_t i = 0; i < added; i++)
      index_.add(static_cast<u32>(i), key_at);
  if (added >= kLinear)
    index_.add(static_cast<u32>(added), key_at);
  return added;
}

void PointTable::add_point(const Point& point, const CostStatistics* statistics) {
  const std::size_t to = find_or_add(key_of(point.key));
  points_[to].size += point.size;
  points_[to].calls += point.calls;
  points_[to].induced_by_thread += point.induced_by_thread;
  points_[to].induced_by_kernel += point.induced_by_kernel;
  points_[to].children_rms += point.children_rms;
  for (std::size_t s = 0; s < stride(); s++)
    statistics_[to * stride() + s].add(statistics[s]);
}

void PointTable::add(const PointTable& other) {
  if (other.precision_ != 0 && (precision_ == 0 || other.precision_ < precision_))
    coarsen_to(other.precision_); // its sizes alone are too many for a higher precision
  for (std::size_t i = 0; i < other.points_.size(); i++) {
    add_point(other.points_[i], &other.statistics_[i * stride()]);
    if (points_.size() > max_points_)
      coarsen();
  }
}

void PointTable::coarsen() {
  // An error of at most 5 * 10^-5 %, and 45 steps above 2^20.
  constexpr unsigned kFirstPrecision = 20;
  do {
    CHECK(precision_ != 1);
    coarsen_to(precision_ == 0 ? kFirstPrecision : precision_ - 1);
  } while (points_.size() > max_points_);
}

void PointTable::coarsen_to(unsigned precision) {
  Vector<Point> points = std::move(points_);
  Vector<CostStatistics> statistics = std::move(statistics_);
  precision_ = precision;
  points_ = Vector<Point>("aprof.points");
  statistics_ = Vector<CostStatistics>("aprof.points.statistics");
  index_.clear();
  last_ = 0;
  for (std::size_t i = 0; i < points.size(); i++)
    add_point(points[i], &statistics[i * stride()]);
}

Vector<u32> PointTable::order() const {
  Vector<u32> order("aprof.points.order");
  for (std::size_t i = 0; i < points_.size(); i++)
    order.push_back(static_cast<u32>(i));
  std::sort(order.begin(), order.end(),
            [&](u32 a, u32 b) { return points_[a].key < points_[b].key; });
  return order;
}
