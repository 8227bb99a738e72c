// Where iterations of a loop are counted.
//
// People count how often a loop's body is executed. Compilers test the condition of an optimised
// loop at its end, so control is at the header once for each; unoptimised code tests it at the
// header, where control is once more, in vain. Such a test is told by what the loop's back edges
// are (no jump back is conditional) and by the blocks from the header on, which
// - leave the loop, in one source line if that is known, or lead to others that do, and
// - are all of one source line, which the body is not, or store nothing.
#pragma once

#include "trace/loops/flow_graph.hpp"
#include "trace/loops/loop_nest.hpp"
#include "trace/routines.hpp"

class LoopCondition {
public:
  LoopCondition(const FlowGraph& graph, const FlowView& view, const LoopNest& nest, u32 part);

  // The blocks where the body begins, or the header. Of those that begin with an inner loop, that
  // loop's beginning counts.
  const Vector<u32>& bodies() const { return bodies_; }
  // Those that begin with an inner loop, by its blocks.
  const Vector<u32>& inner_bodies() const { return inner_bodies_; }
  // The blocks that test the condition before the body; there may be none.
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
  u32 part_;
  u32 header_;
  RoutineTable::SourceLine line_;      // the header's
  RoutineTable::SourceLine left_in_{}; // by the first test that leaves
  Vector<u32> tests_{"trace.loops.condition"};
  Vector<u32> bodies_{"trace.loops.condition"};
  Vector<u32> inner_bodies_{"trace.loops.condition"};
};
