// Instruments a block to count the basic blocks and instructions that it executes, on the clock
// (trace/clock.hpp) and for source lines (trace/lines/line_code.hpp).
//
// Instructions are not counted one by one, but where control may leave the block or an event
// follows. Owns the number of instructions still to be counted.
#pragma once

#include "trace/lines/line_code.hpp"
#include "trace/translated_block.hpp"

#include <optional>

class CostCode {
public:
  explicit CostCode(TranslatedBlock& block);

  void
  block_begins(IRExpr* amount); // by the number of basic blocks it counts as: 1 or an expression
  void instruction();
  void marker(); // it replaces an instruction, and is not counted
  void side_exit();
  void flush_instructions(); // adds the code that counts those seen so far

  // The clock's value at this point of the code.
  IRExpr* time(CostEvent event);
  // Updates the clock in memory for a helper that is called next.
  void publish_clock();

private:
  void count(CostEvent event, IRExpr* amount);

  TranslatedBlock& block_;
  u64 instructions_ = 0;           // seen and not yet counted
  IRExpr* time_[kCountedEvents]{}; // the clock's value, if this block has counted
  std::optional<LineCode> lines_;  // none: the block's lines are not counted
};
