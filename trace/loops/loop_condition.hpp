// Decides where the iterations of a loop are counted.
//
// The expected count is how often the body is executed. In optimised code, the condition is tested
// at the end of the loop, so control is at the header once per iteration. Unoptimised code tests it
// at the header, where control comes once more, when the condition fails. Such tests are recognised
// by the loop's back edges (none of them is a conditional jump) and by the blocks from the header
// on, which
// - leave the loop, from one source line if lines are known, or lead to others that do, and
// - are all of one source line, which is not the body's, or store nothing.
#pragma once

#include "trace/loops/flow_graph.hpp"
#include "trace/loops/loop_nest.hpp"
#include "trace/routines.hpp"

class LoopCondition {
public:
  LoopCondition(const FlowGraph& graph, const FlowView& view, const LoopNest& nest)
      : graph_(graph), view_(view), nest_(nest) {}

  // Decides for one part of the nest after the other.
  void find(u32 part);

  // The blocks at which the body begins, or the header. If the body begins with an inner loop, an
  // iteration is counted where that loop begins.
  const Vector<u32>& bodies() const { return bodies_; }
  // Blocks of inner loops with which the body begins.
  const Vector<u32>& inner_bodies() const { return inner_bodies_; }
  // The blocks that test the condition before the body; possibly none.
  const Vector<u32>& tests() const { return tests_; }

private:
  bool is_in(u32 block) const { return nest_.is_within(nest_.innermost(block), part_); }
  bool leaves(u32 block) const;
  bool is_tested_at_end(bool also_in_its_line) const;
  enum class Tests : u8 { of_one_line, that_leave_in_one_line, that_leave, any };
  bool is_of_one_line(u32 block) const;
  bool may_test(u32 block, Tests which);
  bool find_condition(Tests which);
  void forget();
  void find_tests(Tests which);
  bool find_bodies();

  const FlowGraph& graph_;
  const FlowView& view_;
  const LoopNest& nest_;
  u32 part_ = LoopNest::kNone;
  u32 header_ = 0;
  RoutineTable::SourceLine line_{};    // of the header
  RoutineTable::SourceLine left_in_{}; // line of the first test that leaves
  Vector<u32> tests_{"trace.loops.condition"};
  Vector<u32> bodies_{"trace.loops.condition"};
  Vector<u32> inner_bodies_{"trace.loops.condition"};
};
