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
};

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
  struct Iteration {
    u64 ordinal; // from 1
    u64 rms;
    u64 new_cells;
  };
  void add_iteration(const Iteration& iteration, const Costs& cost) {
    if (progress_.empty())
      progress_.resize(kBins);
    const auto octave = static_cast<unsigned>(std::bit_width(iteration.ordinal)) - 1;
    ProgressBin& bin = progress_[std::min(octave, kBins - 1)];
    bin.iterations++;
    bin.rms += iteration.rms;
    bin.new_cells += iteration.new_cells;
    bin.cost += cost;
  }
  void add(const LoopRecord& other); // of the same loop in another context

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
    void add(const Sums& other) {
      Totals::add(other);
      iterations += other.iterations;
    }
  };
  Sums sums;

private:
  const ProfileOptions& options_;
  PointTable rms_;
  PointTable trms_;
  PointTable iterations_;
  Vector<ProgressBin> progress_{"aprof.loops.progress"};
  bool alike_; // RMS and TRMS of all executions: rms_ is both tables
};
