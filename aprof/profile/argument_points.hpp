// The points of one routine by its integer arguments instead of its input size: for each argument,
// the calls with each value and their costs. Negative values and values above 2^40 are left out:
// they are no sizes, and sums of them would overflow.
//
// An argument is kept as long as it explains cost that input sizes do not explain. This is checked
// at ever longer intervals: the cost of most routines does not depend on their arguments, or they
// read as much as the arguments say. An argument with only one value so far is kept for a while. A
// dropped argument loses all its points, so those that are kept cover all calls except those with
// values that are left out. Owns its points.
#pragma once

#include "aprof/profile/points.hpp"
#include "trace/kept_arguments.hpp"

struct ProfileOptions;

class ArgumentPoints {
public:
  explicit ArgumentPoints(const ProfileOptions& options) : options_(options) {}
  ~ArgumentPoints();
  ArgumentPoints(const ArgumentPoints&) = delete;
  ArgumentPoints& operator=(const ArgumentPoints&) = delete;

  // An activation with these arguments has returned.
  void add(KeptArguments::Which kept, const u64* arguments, const Sample& sample);
  void add(const ArgumentPoints& other); // of the same routine in another context

  bool is_judgement_due() const { return calls_ >= judged_at_; }
  // Drops arguments that explain nothing beyond `sizes`, the points by input size. Returns false if
  // all are dropped.
  bool judge(const PointTable& sizes);

  // The points of an argument that explains something beyond `sizes`; null if this one does not.
  const PointTable* informative(unsigned argument, const PointTable& sizes) const;

private:
  static constexpr u64 kLargest = u64{1} << 40; // value
  static constexpr u64 kFirstJudged = 1024;     // calls
  // An argument with one value may get others, but it costs time in each call until it is dropped:
  // a call that does nothing else takes 1.7 times as long.
  static constexpr u64 kMostOfOneValue = u64{1} << 20; // calls
  // Beyond this number, values are merged, as sizes are.
  static constexpr std::size_t kMostValues = 1000;

  PointTable& table(unsigned argument);
  void drop(unsigned argument);

  const ProfileOptions& options_;
  u64 calls_ = 0;
  u64 judged_at_ = kFirstJudged;
  PointTable* tables_[KeptArguments::kMost]{};
  bool met_[KeptArguments::kMost]{}; // the routine has this argument
  bool dropped_[KeptArguments::kMost]{};
};
