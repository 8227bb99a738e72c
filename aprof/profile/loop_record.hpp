// The measurements of one loop, in one thread or calling context: its executions by input size and
// by number of iterations, and, unless the loop is a leaf, how the cost and input of an iteration
// change with its ordinal: the progress curve.
#pragma once

#include "aprof/profile/call_edges.hpp"
#include "aprof/profile/points.hpp"
#include "base/check.hpp"
#include "trace/loops/loop.hpp"

#include <algorithm>
#include <bit>

struct ProfileOptions;

// The iterations whose ordinals, starting at 1, have the same most significant binary digit.
struct ProgressBin {
  u64 iterations = 0;
  u64 rms = 0;       // sum over the iterations, in cells
  u64 new_cells = 0; // sum of what they added to their execution's RMS
  Costs cost;        // sum of the inclusive cost

  ProgressBin& operator+=(const ProgressBin& other) {
    iterations += other.iterations;
    rms += other.rms;
    new_cells += other.new_cells;
    cost += other.cost;
    return *this;
  }
};

// Most executions of a loop resemble an earlier one, as activations of a routine do
// (RoutineRecord). They are counted by kind, and added to the tables by add_counted() before
// anything is read.
class LoopRecord {
public:
  // The last bin has all iterations from the 2^23rd on.
  static constexpr unsigned kBins = 24;

  struct Sizes { // of an execution
    u64 rms;
    u64 trms;
    u64 iterations;
  };

  LoopRecord(const Loop& of, const ProfileOptions& options);

  // `outermost`: no other execution of the loop was pending, in a recursion of its routine.
  void add(const Sizes& sizes, bool outermost, const Sample& sample);
  // Adds an execution that was cut off.
  void add_unfinished(bool outermost, u64 iterations, const Sample& sample) {
    sums_.add_unfinished(outermost, iterations, sample);
  }
  // Executions without induced accesses that are equal in these numbers, if one cost event is
  // measured.
  struct Kind {
    u64 rms = 0; // and the TRMS
    u64 iterations = 0;
    u64 inclusive = 0;
    u64 self = 0;
    u64 iterations_rms_and_flags = 0; // sum over its iterations; packed to save registers

    // The whole execution was its first iteration, which is to be added to the progress.
    static constexpr u64 kIsFirstIteration = 1;
    static constexpr u64 kOutermost = 2;
    static constexpr unsigned kFlags = 2;

    u64 iterations_rms() const { return iterations_rms_and_flags >> kFlags; }
    bool is_first_iteration() const { return (iterations_rms_and_flags & kIsFirstIteration) != 0; }
    bool outermost() const { return (iterations_rms_and_flags & kOutermost) != 0; }
    // Uses one branch, because it is hard to predict which number differs.
    [[gnu::always_inline]] bool operator==(const Kind& other) const {
      return ((rms ^ other.rms) | (iterations ^ other.iterations) | (inclusive ^ other.inclusive) |
              (self ^ other.self) | (iterations_rms_and_flags ^ other.iterations_rms_and_flags)) ==
             0;
    }
    std::size_t hash() const {
      return (rms + iterations * 0x9E3779B97F4A7C15u + inclusive * 0xC2B2AE3D27D4EB4Fu) >> 40;
    }
  };
  [[gnu::always_inline]] void add(const Kind& kind) {
    Counted& counted = counted_[kind.hash() & last_counted_];
    if (!(counted.kind == kind)) [[unlikely]]
      return add_unlike(kind.rms, kind.iterations, kind.inclusive, kind.self,
                        kind.iterations_rms_and_flags);
    counted.times++;
  }
  // Adds everything that was only counted. Call before reading any of the following.
  void add_counted() {
    for (Counted& counted : counted_)
      add(counted);
  }
  // Adds iterations of one octave; `last` is the ordinal of the last one.
  void add_iterations(u64 last, const ProgressBin& iterations) {
    if (progress_.empty())
      progress_.resize(kBins);
    const auto octave = static_cast<unsigned>(std::bit_width(last)) - 1;
    progress_[std::min(octave, kBins - 1)] += iterations;
  }
  void add(const LoopRecord& other); // of the same loop in another context

  const PointTable& rms() const {
    CHECK(is_added());
    return rms_;
  }
  const PointTable& trms() const {
    CHECK(is_added());
    return alike_ ? rms_ : trms_;
  }
  const PointTable& iterations() const {
    CHECK(is_added());
    return iterations_;
  }
  const Vector<ProgressBin>& progress() const { // by octave; may be empty
    CHECK(is_added());
    return progress_;
  }

  const Loop& loop;
  // Sums over executions with at least one iteration; for pending ones, over what has been added so
  // far. Self cost excludes calls but includes inner loops.
  struct Sums : Totals {
    u64 iterations = 0;

    void add(bool outermost, u64 of_iterations, const Sample& sample) {
      Totals::add(sample, outermost);
      iterations += of_iterations;
    }
    void add_unfinished(bool outermost, u64 of_iterations, const Sample& sample) {
      Totals::add_unfinished(sample, outermost);
      iterations += of_iterations;
    }
    void add_alike(CostEvent event, const Kind& kind, u64 times) {
      Totals::add_alike(event, kind.inclusive, kind.self, kind.outermost(), times);
      iterations += times * kind.iterations;
    }
    void add(const Sums& other) {
      Totals::add(other);
      iterations += other.iterations;
    }
  };
  const Sums& sums() const {
    CHECK(is_added());
    return sums_;
  }

private:
  struct Counted {
    Kind kind;
    u64 times = 0;
  };

  // Takes the numbers of a kind one by one, so that it need not be in memory.
  void add_unlike(u64 rms, u64 iterations, u64 inclusive, u64 self, u64 iterations_rms_and_flags);
  void add(Counted& counted);
  void part(); // splits the two tables
  bool is_added() const {
    return std::all_of(counted_.begin(), counted_.end(),
                       [](const Counted& counted) { return counted.times == 0; });
  }

  static constexpr std::size_t kMostCounted = 256;

  Vector<Counted> counted_{"aprof.loops.counted"}; // by hash; 2^n entries, grows with unlike_
  std::size_t last_counted_ = 0;                   // index of the last one
  std::size_t unlike_ = 0;                         // misses since it has this size
  const ProfileOptions& options_;
  Sums sums_;
  PointTable rms_;
  PointTable trms_;
  PointTable iterations_;
  Vector<ProgressBin> progress_{"aprof.loops.progress"};
  bool alike_; // RMS and TRMS of all executions are equal: rms_ is both tables
};
