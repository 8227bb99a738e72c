// What translated code does to count the executions of source lines (line_counters.hpp): it
// increments a counter where the instrumenter counts blocks or instructions, so that lines add up
// to what activations are charged.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"
#include "base/vector.hpp"

// Of one block, as it is translated.
class LineCode {
public:
  // To be added to `out`, which is made of `block`. `by_instruction`: instructions are a cost of
  // their own, and counted where they have been executed; otherwise where the run begins that they
  // are in. So are blocks, if they are a cost.
  LineCode(IRSB* out, const IRSB* block, GuestAddr address, bool by_block, bool by_instruction);

  // False: no instruction's line is known, so there is nothing to count.
  bool counts() const { return counts_; }

  void block_begins(IRExpr* amount); // of blocks that it counts as: 1, or an expression
  void instruction();                // the next one
  void marker();                     // that is none, but stands for one
  void may_exit();                   // behind the latest
  void instructions_counted();       // all until now

private:
  void count(const u64* run, IRExpr* amount);

  IRSB* out_;
  bool by_block_;
  bool by_instruction_;
  bool counts_ = false;
  Vector<u32> lines_{"trace.lines.block"}; // by instruction
  std::size_t next_ = 0;                   // instruction
  bool is_open_ = false;                   // a run, which that is in
  const u64* run_ = nullptr;
};
