#include "trace/lines/line_code.hpp"

#include "trace/call_events.hpp"
#include "trace/ir.hpp"
#include "trace/lines/line_counters.hpp"

LineCode::LineCode(IRSB* out, const IRSB* block, GuestAddr address, bool by_block,
                   bool by_instruction)
    : out_(out), by_block_(by_block), by_instruction_(by_instruction) {
  if (RoutineTable::is_in_dynamic_linker(
          address)) // what its binder executes belongs to no activation
    return;
  RoutineId routine = RoutineId::none;
  RoutineTable::SourceLine before{0, 0};
  for (Int i = 0; i < block->stmts_used; i++) {
    if (block->stmts[i]->tag != Ist_IMark)
      continue;
    const GuestAddr instruction = block->stmts[i]->Ist.IMark.addr;
    const RoutineTable::SourceLine line = routines->line_of(instruction);
    if (line.line != 0 && routine == RoutineId::none)
      routine = routines->containing(address);
    if (line.line == 0)
      lines_.push_back(LineCounters::kNoLine);
    else if (line == before) // and in the same function
      lines_.push_back(lines_.back());
    else
      lines_.push_back(line_counters->number_of(routine, line, instruction));
    before = line;
  }
  counts_ = routine != RoutineId::none;
}

void LineCode::count(const u64* run, IRExpr* amount) {
  if (run != nullptr)
    ir::count(out_, run, amount);
}

void LineCode::block_begins(IRExpr* amount) {
  if (!by_block_)
    return;
  count(line_counters->add_run(lines_[next_]), amount);
  is_open_ = !by_instruction_ && amount->tag == Iex_Const; // as often as the block
}

void LineCode::instruction() {
  if (!is_open_) {
    run_ = line_counters->add_run(LineCounters::kNoLine);
    if (!by_instruction_)
      count(run_, ir::constant(1));
  }
  is_open_ = true;
  line_counters->add_instruction(lines_[next_++]);
}

void LineCode::marker() { next_++; }

void LineCode::side_exit() { is_open_ &= by_instruction_; }

void LineCode::instructions_counted() {
  if (by_instruction_ && is_open_) {
    count(run_, ir::constant(1));
    is_open_ = false;
  }
}
