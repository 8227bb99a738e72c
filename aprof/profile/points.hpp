// The points of one routine, in one thread, under one input-size metric: for each distinct input
// size the number of calls, and minimum, maximum, sum and sum of squares of each cost.
//
// Bounded: more than max_points distinct sizes are merged by keeping only the `precision` most
// significant binary digits of a size, as many as fit. Which sizes share a point depends only on
// the set of sizes, not on their order. Owns its points. The size of the last call is found at
// once, another by one hash probe.
#pragma once

#include "base/inline_hash_index.hpp"
#include "base/types.hpp"
#include "base/vector.hpp"
#include "work_span/engine/measures.hpp"

#include <algorithm>

// The contribution of one finished activation.
struct Sample {
  u64 induced_by_thread;
  u64 induced_by_kernel;
  AllCosts inclusive;
  AllCosts self;
  u64 children_rms = 0; // sum over its callees, or a loop's iterations

  void add(const Invocation& of) {
    inclusive[CostEvent::work] = of.work;
    inclusive[CostEvent::span] = of.span;
    self[CostEvent::work] = of.local_work;
    self[CostEvent::span] = of.local_span;
  }
};

// Minimum, maximum, sum and sum of squares; exact (the last one has 128 bits).
struct CostStatistics {
  u64 min = ~u64{0};
  u64 max = 0;
  u64 sum = 0;
  u64 sum_of_squares[2]{}; // low, high

  [[gnu::always_inline]] void add(u64 cost, u64 times = 1) {
    min = std::min(min, cost);
    max = std::max(max, cost);
    sum += times * cost;
    set_squares(squares() + u128{cost} * cost * times);
  }
  void add(const CostStatistics& other);
  u128 squares() const { return u128{sum_of_squares[1]} << 64 | sum_of_squares[0]; }

private:
  void set_squares(u128 total) {
    sum_of_squares[0] = static_cast<u64>(total);
    sum_of_squares[1] = static_cast<u64>(total >> 64);
  }
};

struct Point {
  u64 key = 0;  // the size, cut to the table's precision
  u64 size = 0; // sum over the calls; their mean is the point's size
  u64 calls = 0;
  u64 induced_by_thread = 0;
  u64 induced_by_kernel = 0;
  u64 children_rms = 0;
};

class PointTable {
public:
  // `events`: number of cost events measured, 1 to kCostEvents. `max_points` is at least 16.
  PointTable(unsigned events, std::size_t max_points) : events_(events), max_points_(max_points) {}

  void add(u64 size, const Sample& sample, const CostEvent* events);
  // Adds `times` equal samples without induced accesses to a table with one cost event.
  // `children_rms` is their sum.
  void add_alike(u64 size, u64 inclusive, u64 self, u64 children_rms, u64 times);
  // Adds all points of a table with the same limits, as if their samples had been added here.
  void add(const PointTable& other);

  std::size_t size() const { return points_.size(); }
  unsigned precision() const { return precision_; } // 0: every size has its own point
  const Point& point(std::size_t i) const { return points_[i]; }
  const CostStatistics& inclusive(std::size_t i, unsigned event) const {
    return statistics_[i * stride() + 2 * event];
  }
  const CostStatistics& self(std::size_t i, unsigned event) const {
    return statistics_[i * stride() + 2 * event + 1];
  }
  // The indices of the points in ascending order of size. O(n log n).
  Vector<u32> order() const;

private:
  static constexpr std::size_t kLinear = 8; // up to this size, there is no hash index

  std::size_t stride() const { return 2 * events_; }
  u64 key_of(u64 size) const;
  // Returns the point of a size, and makes it the latest.
  std::size_t point_of(u64 size);
  std::size_t find_or_add(u64 key);
  void add_point(const Point& point, const CostStatistics* statistics);
  void coarsen();
  void coarsen_to(unsigned precision);

  unsigned events_;
  unsigned precision_ = 0;
  std::size_t max_points_;
  std::size_t last_ = 0;
  Vector<Point> points_{"aprof.points"};
  Vector<CostStatistics> statistics_{"aprof.points.statistics"};
  InlineHashIndex index_{"aprof.points.index"}; // by key
};
