// What is measured of one loop, in one thread or calling context: its executions by input size and
// by number of iterations and, of a loop that is no leaf, how cost and input of an iteration change
// with its ordinal: the progress curve.
#pragma once

#include "aprof/profile/call_edges.hpp"
#include "aprof/profile/points.hpp"
#include "trace/loops/loop.hpp"

#include <bit>

struct ProfileOptions;

// Iterations whose ordinals, from 1, have the same most significant binary digit.
struct ProgressBin {
  u64 iterations = 0;
  u64 rms = 0;       // sum of theirs, in cells
  u64 new_cells = 0; // what they added to their execution's RMS
  Costs cost;        // sum of the inclusive cost

  ProgressBin& operator+=(const ProgressBin& other) {
    iterations += other.iterations;
    rms += other.rms;
    new_cells += other.new_cells;
    cost += other.cost;
    return *this;
  }
};

// Executions of a loop are alike more often than not, as are activations of a routine
// (RoutineRecord): they are counted by kind, and settled before anything is read.
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

  void add(const Sizes& sizes, const Sample& sample);
  // What an execution was that met nothing induced, where one cost event is measured.
  struct Kind {
    u64 rms = 0; // and the TRMS
    u64 iterations = 0;
    u64 inclusive = 0;
    u64 self = 0;
    u64 iterations_rms = 0; // sum over its iterations, each for itself
    bool operator==(const Kind&) const = default;
    std::size_t hash() const {
      return (rms + iterations * 0x9E3779B97F4A7C15u + inclusive * 0xC2B2AE3D27D4EB4Fu) >> 40;
    }
  };
  [[gnu::always_inline]] void add(const Kind& kind) {
    Counted& counted = counted_[kind.hash() & (counted_.size() - 1)];
    if (!(counted.kind == kind)) [[unlikely]]
      return add_unlike(kind);
    counted.times++;
  }
  // What was counted enters the tables and sums.
  void settle() const {
    for (Counted& counted : counted_)
      settle(counted);
  }
  // Of iterations of one octave, the last of which has the ordinal `last`.
  void add_iterations(u64 last, const ProgressBin& iterations) {
    if (progress_.empty())
      progress_.resize(kBins);
    const auto octave = static_cast<unsigned>(std::bit_width(last)) - 1;
    progress_[std::min(octave, kBins - 1)] += iterations;
  }
  void add(const LoopRecord& other); // of the same loop in another context

  // Settled, all of them.
  const PointTable& rms() const { return rms_; }
  const PointTable& trms() const { return alike_ ? rms_ : trms_; }
  const PointTable& iterations() const { return iterations_; }
  const Vector<ProgressBin>& progress() const { return progress_; } // by octave, or none

  const Loop& loop;
  // Over executions with an iteration at least; of pending ones, what is added of them. Inclusive
  // cost is that of every execution, also within another; self cost is without calls, with inner
  // loops.
  struct Sums : Totals {
    u64 iterations = 0;

    void add(const Sample& sample, u64 of_iterations) {
      Totals::add(sample, true);
      iterations += of_iterations;
    }
    void add_unfinished(const Sample& sample, u64 of_iterations) {
      Totals::add_unfinished(sample, true);
      iterations += of_iterations;
    }
    void add_alike(CostEvent event, const Kind& kind, u64 times) {
      Totals::add_alike(event, kind.inclusive, kind.self, true, times);
      iterations += times * kind.iterations;
    }
    void add(const Sums& other) {
      Totals::add(other);
      iterations += other.iterations;
    }
  };
  mutable Sums sums; // settled

private:
  struct Counted {
    Kind kind;
    u64 times = 0;
  };

  void add_unlike(const Kind& kind);
  void settle(Counted& counted) const;
  void part();

  static constexpr std::size_t kMostCounted = 256;

  mutable Vector<Counted> counted_{"aprof.loops.counted"}; // by hash; 2^n, more as more are unlike
  std::size_t unlike_ = 0;                                 // since there are so many
  const ProfileOptions& options_;
  mutable PointTable rms_;
  mutable PointTable trms_;
  mutable PointTable iterations_;
  Vector<ProgressBin> progress_{"aprof.loops.progress"};
  bool alike_; // RMS and TRMS of all executions: rms_ is both tables
};
