// Instruments control transfers: calls, returns and jumps that may be either, at the end of a block
// or at side exits, and instructions that set the stack pointer.
#pragma once

#include "trace/cost_code.hpp"
#include "trace/event_code.hpp"
#include "trace/loops/loop_code.hpp"
#include "trace/translated_block.hpp"

class JumpCode {
public:
  JumpCode(TranslatedBlock& block, CostCode& costs, EventCode& events, LoopCode& loops)
      : block_(block), costs_(costs), events_(events), loops_(loops) {}

  // Call before a register is written, before a side exit, and at the end of the block.
  void put(const IRStmt* statement);
  void side_exit(const IRStmt* exit);
  void block_end();

private:
  void set_stack_pointer(IRExpr* value, bool from_frame_pointer);
  void call();
  void call_of(GuestAddr target);
  void return_();
  void jump();
  void jump_to(GuestAddr target, IRExpr* guard);
  void jump_to_stub(IRExpr* guard);
  IRExpr** target_and_site();

  TranslatedBlock& block_;
  CostCode& costs_;
  EventCode& events_;
  LoopCode& loops_;
  bool sets_stack_pointer_ = false; // the block has an event_stack_pointer_set
};
