#include "trace/cost_code.hpp"

#include "trace/clock.hpp"

CostCode::CostCode(TranslatedBlock& block) : block_(block) {
  if (!block.with.count_lines || block.is_linkage())
    return;
  lines_.emplace(block.out, block.in, block.address, block.with.count_basic_blocks,
                 block.with.count_instructions);
  if (!lines_->counts())
    lines_.reset();
}

void CostCode::count(CostEvent event, IRExpr* amount) {
  if (block_.linkage == RoutineTable::Linkage::binding)
    ir::count(block_.out, &(*block_.with.on_way_to_binder)[event], amount);
  else
    time_[static_cast<unsigned>(event)] = client_clock::count(block_.out, event, amount);
}

void CostCode::block_begins(IRExpr* amount) {
  if (block_.with.count_basic_blocks)
    count(CostEvent::basic_blocks, amount);
  if (lines_)
    lines_->block_begins(amount);
}

void CostCode::instruction() {
  instructions_++;
  if (lines_)
    lines_->instruction();
}

void CostCode::marker() {
  if (lines_)
    lines_->marker();
}

void CostCode::side_exit() {
  flush_instructions();
  if (lines_)
    lines_->side_exit();
}

void CostCode::flush_instructions() {
  if (block_.with.count_instructions && instructions_ > 0)
    count(CostEvent::instructions, ir::constant(instructions_));
  if (lines_)
    lines_->instructions_counted();
  instructions_ = 0;
}

IRExpr* CostCode::time(CostEvent event) {
  IRExpr* known = time_[static_cast<unsigned>(event)];
  return known != nullptr ? known : client_clock::time(block_.out, event);
}

void CostCode::publish_clock() {
  for_each_counted(block_.with, [this](CostEvent event) {
    client_clock::publish(block_.out, event, time(event));
  });
}
