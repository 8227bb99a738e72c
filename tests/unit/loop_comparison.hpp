// Loops of random routines, and the comparison of the engine's records of them with the oracle's.
#pragma once

#include "aprof/profile/routine_record.hpp"
#include "loop_oracle.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

// Each routine has two nests: three loops, of which the innermost and another inner one are leaves;
// and a single loop that is no leaf, as if it contained a call.
class LoopNests {
public:
  static constexpr u32 kLoops = 5;

  const Loop& loop(RoutineId routine, u32 number) { return *of(routine)[number]; }

private:
  using Loops = std::vector<std::unique_ptr<Loop>>;

  Loops& of(RoutineId routine) {
    static constexpr int kParents[kLoops] = {-1, 0, 0, 2, -1};
    static constexpr bool kLeaf[kLoops] = {false, true, false, true, false};
    Loops& loops = loops_[index(routine)];
    for (u32 number = static_cast<u32>(loops.size()); number < kLoops; number++) {
      const LoopId id{index(routine) * kLoops + number + 1};
      loops.emplace_back(new Loop{id, routine, number, GuestAddr{0}});
      if (const int parent = kParents[number]; parent >= 0)
        loops.back()->parent = loops[static_cast<std::size_t>(parent)].get();
      loops.back()->leaf = kLeaf[number];
    }
    return loops;
  }

  std::map<u32, Loops> loops_;
};

class LoopComparison {
public:
  int executions = 0; // compared so far
  int octaves = 0;

  // Takes everything that has ended according to the oracle.
  void take(LoopOracle& oracle) {
    for (const LoopOracle::Execution& of : oracle.executions)
      expected_[of.loop].add(of);
    for (const LoopOracle::Octave& of : oracle.octaves)
      expected_[of.loop].add(of);
    oracle.executions.clear();
    oracle.octaves.clear();
  }
  // Call when all executions of the routine's loops have ended.
  void compare(RoutineRecord& record) {
    record.add_counted();
    for (const LoopRecord* loop : record.loops())
      if (loop != nullptr)
        compare(*loop, expected_[&loop->loop]);
  }

private:
  using Points = std::map<u64, std::tuple<u64, u64, u64>>; // by size: calls, children, inclusive
  struct Numbers {
    i64 calls = 0, unfinished = 0, iterations = 0, by_thread = 0, by_kernel = 0;
    i64 inclusive = 0, self = 0;
    Points rms{}, trms{}, by_iterations{};
    std::map<unsigned, std::tuple<u64, u64, u64, u64>> progress{}; // by octave
    bool operator==(const Numbers&) const = default;

    void add(const LoopOracle::Execution& of) {
      calls++;
      unfinished += !of.returned;
      iterations += of.iterations;
      by_thread += of.result.induced_by_thread;
      by_kernel += of.result.induced_by_kernel;
      inclusive += of.outermost ? of.result.inclusive : 0;
      self += of.result.self;
      if (!of.returned)
        return;
      add(rms, of.result.rms, of);
      add(trms, of.result.trms, of);
      add(by_iterations, of.iterations, of);
    }
    void add(const LoopOracle::Octave& of) {
      auto& [n, its_rms, new_cells, cost] =
          progress[static_cast<unsigned>(std::bit_width(static_cast<u64>(of.last)))];
      n += static_cast<u64>(of.iterations);
      its_rms += static_cast<u64>(of.rms);
      new_cells += static_cast<u64>(of.new_cells);
      cost += static_cast<u64>(of.cost);
    }

  private:
    static void add(Points& points, i64 size, const LoopOracle::Execution& of) {
      auto& [n, children, inclusive] = points[static_cast<u64>(size)];
      n++;
      children += static_cast<u64>(of.iterations_rms);
      inclusive += static_cast<u64>(of.result.inclusive);
    }
  };

  static Points points_of(const PointTable& table) {
    Points points;
    for (std::size_t i = 0; i < table.size(); i++) {
      const Point& point = table.point(i);
      points[point.size / point.calls] = {point.calls, point.children_rms,
                                          table.inclusive(i, 0).sum};
    }
    return points;
  }

  void compare(const LoopRecord& record, const Numbers& expected) {
    const LoopRecord::Sums& sums = record.sums();
    Numbers found{.calls = static_cast<i64>(sums.calls),
                  .unfinished = static_cast<i64>(sums.unfinished),
                  .iterations = static_cast<i64>(sums.iterations),
                  .by_thread = static_cast<i64>(sums.induced_by_thread),
                  .by_kernel = static_cast<i64>(sums.induced_by_kernel),
                  .inclusive = static_cast<i64>(sums.inclusive.of[0]),
                  .self = static_cast<i64>(sums.self.of[0]),
                  .rms = points_of(record.rms()),
                  .trms = points_of(record.trms()),
                  .by_iterations = points_of(record.iterations())};
    for (unsigned octave = 0; octave < record.progress().size(); octave++)
      if (const ProgressBin& of = record.progress()[octave]; of.iterations > 0)
        found.progress[octave + 1] = {of.iterations, of.rms, of.new_cells, of.cost.of[0]};
    ASSERT_EQ(found.calls, expected.calls);
    ASSERT_EQ(found.iterations, expected.iterations);
    ASSERT_EQ(found.rms, expected.rms);
    ASSERT_EQ(found.progress, expected.progress);
    ASSERT_TRUE(found == expected);
    executions += static_cast<int>(found.calls);
    octaves += static_cast<int>(found.progress.size());
  }

  std::map<const Loop*, Numbers> expected_;
};
