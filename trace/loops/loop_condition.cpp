#include "trace/loops/loop_condition.hpp"

#include "trace/call_events.hpp"

#include <algorithm>

namespace {

bool contains(const Vector<u32>& blocks, u32 block) {
  return std::find(blocks.begin(), blocks.end(), block) != blocks.end();
}

} // namespace

void LoopCondition::find(u32 part) {
  part_ = part;
  header_ = nest_.parts()[part].header;
  line_ = routines->line_of(graph_.blocks()[header_].begin);
  left_in_ = {};
  if (!is_tested_at_end(false) && find_condition(Tests::of_one_line))
    return;
  if (!is_tested_at_end(true) && (find_condition(Tests::that_leave_in_one_line) ||
                                  find_condition(Tests::that_leave) || find_condition(Tests::any)))
    return;
  forget();
  bodies_.push_back(header_);
}

void LoopCondition::forget() {
  tests_.clear();
  bodies_.clear();
  inner_bodies_.clear();
}

bool LoopCondition::leaves(u32 block) const {
  const auto edges = view_.successors.of(block);
  return std::any_of(edges.begin(), edges.end(),
                     [this](const FlowEdge& edge) { return !is_in(edge.to); });
}

// Whether a jump back to the header is conditional. A test in a line after the header's is another
// condition; a test in the same line may be the first part of the header's.
bool LoopCondition::is_tested_at_end(bool also_in_its_line) const {
  const auto edges = view_.predecessors.of(header_);
  return std::any_of(edges.begin(), edges.end(), [&](const FlowEdge& edge) {
    if (!is_in(edge.from) || !leaves(edge.from))
      return false;
    const GuestAddr from = graph_.last_instruction(graph_.blocks()[edge.from]);
    const RoutineTable::SourceLine line = routines->line_of(from);
    return line_.line == 0 || line.file != line_.file || line.line < line_.line ||
           (line == line_ && also_in_its_line);
  });
}

// Whether the block is in the header's line. clang gives code that combines two conditions no line.
bool LoopCondition::is_of_one_line(u32 block) const {
  const auto instructions = graph_.instructions(graph_.blocks()[block]);
  return line_.line != 0 && std::all_of(instructions.begin(), instructions.end(),
                                        [&](const DecodedBlock::Instruction& of) {
                                          const auto its = routines->line_of(of.address);
                                          return its == line_ || (its.line == 0 && !of.stores);
                                        });
}

bool LoopCondition::may_test(u32 block, Tests which) {
  if (which == Tests::of_one_line)
    return is_of_one_line(block);
  const auto instructions = graph_.instructions(graph_.blocks()[block]);
  if (std::any_of(instructions.begin(), instructions.end(),
                  [](const DecodedBlock::Instruction& of) { return of.stores; }))
    return false;
  if (which == Tests::that_leave)
    return leaves(block) || block == header_;
  if (which == Tests::any || !leaves(block))
    return true;
  const RoutineTable::SourceLine line = routines->line_of(instructions.back().address);
  if (left_in_.line == 0)
    left_in_ = line;
  return line.line != 0 && line == left_in_;
}

bool LoopCondition::find_condition(Tests which) {
  forget();
  find_tests(which);
  return find_bodies();
}

void LoopCondition::find_tests(Tests which) {
  if (may_test(header_, which))
    tests_.push_back(header_);
  for (std::size_t i = 0; i < tests_.size(); i++)
    for (const FlowEdge& edge : view_.successors.of(tests_[i])) {
      const auto before = view_.predecessors.of(edge.to);
      if (nest_.innermost(edge.to) == part_ && !contains(tests_, edge.to) &&
          may_test(edge.to, which) &&
          std::all_of(before.begin(), before.end(),
                      [this](const FlowEdge& of) { return contains(tests_, of.from); }))
        tests_.push_back(edge.to);
    }
}

// Returns false if these tests are no condition, or are the whole loop, or if the body can begin
// elsewhere, too.
bool LoopCondition::find_bodies() {
  if (std::none_of(tests_.begin(), tests_.end(), [this](u32 test) { return leaves(test); }))
    return false;
  bool has_body = false;
  for (const u32 test : tests_)
    for (const FlowEdge& edge : view_.successors.of(test)) {
      if (!is_in(edge.to) || contains(tests_, edge.to) || contains(bodies_, edge.to))
        continue;
      has_body = true;
      if (nest_.innermost(edge.to) != part_) {
        inner_bodies_.push_back(edge.to);
        continue;
      }
      const auto before = view_.predecessors.of(edge.to);
      if (!std::all_of(before.begin(), before.end(),
                       [this](const FlowEdge& of) { return contains(tests_, of.from); }))
        return false;
      bodies_.push_back(edge.to);
    }
  return has_body;
}
