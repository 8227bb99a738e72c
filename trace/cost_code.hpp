// What translated code does to count what it executes: basic blocks and instructions, on the clock
// (trace/clock.hpp) and for source lines (trace/lines/line_code.hpp).
//
// Instructions are counted where control may leave or an event follows, not one by one. Owns the
// count that is still to come.
#pragma once

#include "trace/lines/line_code.hpp"
#include "trace/translated_block.hpp"

#include <optional>

class CostCode {
public:
  explicit CostCode(TranslatedBlock& block);

  void block_begins(IRExpr* amount); // of blocks that it counts as: 1, or an expression
  void instruction();
  void marker(); // it is none, but stands for one
  void may_exit();
  void flush_instructions(); // counts those until now

  // The time, as the clock will have it at this place of the code.
  IRExpr* time(CostEvent event);
  // Makes the clock right for a helper that comes next.
  void publish_clock();

private:
  void count(CostEvent event, IRExpr* amount);

  TranslatedBlock& block_;
  u64 instructions_ = 0;           // seen and not yet counted
  IRExpr* time_[kCountedEvents]{}; // the clock, where this block has counted
  std::optional<LineCode> lines_;  // none: its lines are not counted
};
