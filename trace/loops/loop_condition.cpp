#include "trace/loops/loop_condition.hpp"

#include "trace/call_events.hpp"

#include <algorithm>

namespace {

bool contains(const Vector<u32>& blocks, u32 block) {
  return std::find(blocks.begin(), blocks.end(), block) != blocks.end();
}

} // namespace

LoopCondition::LoopCondition(const FlowGraph& graph, const FlowView& view, const LoopNest& nest,
                             u32 part)
    : graph_(graph), view_(view), nest_(nest), part_(part), header_(nest.parts()[part].header) {
  if (!has_conditional_back_edge() && may_test(header_) &&
      (find_condition(true) || find_condition(false)))
    return;
  bodies_.clear();
  bodies_.push_back(header_);
}

bool LoopCondition::leaves(u32 block) const {
  const auto edges = view_.successors.of(block);
  return std::any_of(edges.begin(), edges.end(),
                     [this](const FlowEdge& edge) { return !is_in(edge.to); });
}

bool LoopCondition::has_conditional_back_edge() const {
  const auto edges = view_.predecessors.of(header_);
  return std::any_of(edges.begin(), edges.end(), [this](const FlowEdge& edge) {
    return is_in(edge.from) && leaves(edge.from);
  });
}

bool LoopCondition::may_test(u32 block) const {
  const auto instructions = graph_.instructions(graph_.blocks()[block]);
  if (std::none_of(instructions.begin(), instructions.end(),
                   [](const DecodedBlock::Instruction& of) { return of.stores; }))
    return true;
  const RoutineTable::SourceLine line = routines->line_of(graph_.blocks()[header_].begin);
  return line.line != 0 && std::all_of(instructions.begin(), instructions.end(),
                                       [&](const DecodedBlock::Instruction& of) {
                                         return routines->line_of(of.address) == line;
                                       });
}

bool LoopCondition::find_condition(bool every_test_leaves) {
  tests_.clear();
  bodies_.clear();
  find_tests(every_test_leaves);
  return find_bodies();
}

void LoopCondition::find_tests(bool every_test_leaves) {
  tests_.push_back(header_);
  for (std::size_t i = 0; i < tests_.size(); i++)
    for (const FlowEdge& edge : view_.successors.of(tests_[i])) {
      const auto before = view_.predecessors.of(edge.to);
      if (nest_.innermost(edge.to) == part_ && !contains(tests_, edge.to) &&
          (leaves(edge.to) || !every_test_leaves) && may_test(edge.to) &&
          std::all_of(before.begin(), before.end(),
                      [this](const FlowEdge& of) { return contains(tests_, of.from); }))
        tests_.push_back(edge.to);
    }
}

// False: these are no condition, or all of the loop, or the body begins elsewhere, too.
bool LoopCondition::find_bodies() {
  if (std::none_of(tests_.begin(), tests_.end(), [this](u32 test) { return leaves(test); }))
    return false;
  bool has_body = false;
  for (const u32 test : tests_)
    for (const FlowEdge& edge : view_.successors.of(test)) {
      if (!is_in(edge.to) || contains(tests_, edge.to) || contains(bodies_, edge.to))
        continue;
      has_body = true;
      if (nest_.innermost(edge.to) != part_)
        continue;
      const auto before = view_.predecessors.of(edge.to);
      if (!std::all_of(before.begin(), before.end(),
                       [this](const FlowEdge& of) { return contains(tests_, of.from); }))
        return false;
      bodies_.push_back(edge.to);
    }
  return has_body;
}
