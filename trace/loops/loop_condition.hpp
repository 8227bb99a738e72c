// Where iterations of a loop are counted.
//
// People count how often a loop's body is executed. Compilers test the condition of an optimised
// loop at its end, so control is at the header once for each; unoptimised code tests it at the
// header, where control is once more, in vain. Such a test is told by what the loop's back edges
// are (no jump there is conditional) and by the blocks from the header on, which
// - leave the loop, or lead to others that do, to where the header does, and
// - store nothing, or are all of one source line, which the body is not.
#pragma once

#include "trace/loops/flow_graph.hpp"
#include "trace/loops/loop_nest.hpp"

class LoopCondition {
public:
  LoopCondition(const FlowGraph& graph, const FlowView& view, const LoopNest& nest, u32 part);

  // The blocks where the body begins, or the header. Of those that begin with an inner loop, that
  // loop's beginning counts.
  const Vector<u32>& bodies() const { return bodies_; }

private:
  bool is_in(u32 block) const { return nest_.is_within(nest_.innermost(block), part_); }
  bool leaves(u32 block) const;
  bool has_conditional_back_edge() const;
  bool may_test(u32 block) const;
  bool find_condition(bool every_test_leaves);
  void find_tests(bool every_test_leaves);
  bool find_bodies();

  const FlowGraph& graph_;
  const FlowView& view_;
  const LoopNest& nest_;
  u32 part_;
  u32 header_;
  Vector<u32> tests_{"trace.loops.condition"};
  Vector<u32> bodies_{"trace.loops.condition"};
};
