// Instruments a block to count the executions of source lines (line_counters.hpp). Counters are
// incremented where the instrumenter counts blocks or instructions, so that the sum over lines
// equals what activations are charged.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"
#include "base/vector.hpp"

// The line counting of one block during translation.
class LineCode {
public:
  // Adds code to `out`, which is made from `block`. If `by_instruction`, instructions are a cost
  // event and counted after they have been executed; otherwise they are counted where their run
  // begins. Blocks are counted there, too, if they are a cost event (`by_block`).
  LineCode(IRSB* out, const IRSB* block, GuestAddr address, bool by_block, bool by_instruction);

  // Returns false if no instruction's line is known, so that there is nothing to count.
  bool counts() const { return counts_; }

  void block_begins(IRExpr* amount); // by the number of blocks it counts as: 1 or an expression
  void instruction();                // the next instruction
  void marker();                     // the next instruction is a marker, which is not counted
  void side_exit();                  // behind the latest instruction
  void instructions_counted();       // all up to now

private:
  void count(const u64* run, IRExpr* amount);

  IRSB* out_;
  bool by_block_;
  bool by_instruction_;
  bool counts_ = false;
  Vector<u32> lines_{"trace.lines.block"}; // by instruction
  std::size_t next_ = 0;                   // index of the next instruction
  bool is_open_ = false;                   // that instruction belongs to an open run
  const u64* run_ = nullptr;
};
