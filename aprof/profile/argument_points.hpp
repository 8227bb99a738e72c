// The points of one routine by its integer arguments instead of its input size: for each argument
// the calls of each value, and their costs. Values that are negative or above 2^40 are left out:
// they are no sizes, and sums of them would overflow.
//
// An argument is kept as long as it tells of the cost what input sizes do not, which is asked ever
// more rarely: most routines cost the same whatever their arguments, or read what these say. One
// that has only one value so far is kept for a while. What is dropped is dropped from the
// beginning, so what is left has all calls but those with values that are left out. Owns its
// points.
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

  // An activation with such arguments has returned.
  void add(KeptArguments::Which kept, const u64* arguments, const Sample& sample);
  void add(const ArgumentPoints& other); // of the same routine in another context

  bool is_judgement_due() const { return calls_ >= judged_at_; }
  // Drops what tells nothing beside `sizes`, the points by input size. False: all is dropped.
  bool judge(const PointTable& sizes);

  // Of the arguments that tell something beside `sizes`; null: this one does not.
  const PointTable* telling(unsigned argument, const PointTable& sizes) const;

private:
  static constexpr u64 kLargest = u64{1} << 40; // of the values
  static constexpr u64 kFirstJudged = 1024;     // calls
  // An argument with one value may get others, and costs time in each call until it is dropped: a
  // call that does nothing else takes 1.7 times as long.
  static constexpr u64 kMostOfOneValue = u64{1} << 20; // calls
  // Values beyond are merged, as sizes are.
  static constexpr std::size_t kMostValues = 1000;

  PointTable& table(unsigned argument);
  void drop(unsigned argument);

  const ProfileOptions& options_;
  u64 calls_ = 0;
  u64 judged_at_ = kFirstJudged;
  PointTable* tables_[KeptArguments::kMost]{};
  bool met_[KeptArguments::kMost]{}; // the routine has it
  bool dropped_[KeptArguments::kMost]{};
};
