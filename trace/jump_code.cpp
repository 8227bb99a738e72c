#include "trace/jump_code.hpp"

#include "trace/call_events.hpp"
#include "trace/late_entries.hpp"
#include "trace/stack_pointer_origin.hpp"

using event_log::Kind;
using ir::constant;
using LoopState = logged_loops::State;

namespace {

bool is_sync(u32 marker) { return Marker{marker} == Marker::sync; }

} // namespace

void JumpCode::put(const IRStmt* statement) {
  if (statement->Ist.Put.offset != block_.layout->offset_SP)
    return;
  IRExpr* value = statement->Ist.Put.data;
  const StackPointerOrigin origin = stack_pointer_origin(block_, value);
  if (origin != StackPointerOrigin::stack_pointer)
    set_stack_pointer(value, origin == StackPointerOrigin::frame_pointer);
  block_.latest_stack_pointer = value->tag == Iex_RdTmp ? value->Iex.RdTmp.tmp : IRTemp_INVALID;
}

// Called before the register is written.
void JumpCode::set_stack_pointer(IRExpr* value, bool from_frame_pointer) {
  costs_.flush_instructions();
  IRExpr* before = block_.stack_pointer();
  IRExpr* guard = nullptr;
  if (from_frame_pointer) {
    constexpr u64 kLargeFrame = 1 << 16;
    IRExpr* removed = block_.assign(Ity_I64, IRExpr_Binop(Iop_Sub64, value, before));
    guard = block_.assign(Ity_I1, IRExpr_Binop(Iop_CmpLT64U, constant(kLargeFrame), removed));
  } else {
    sets_stack_pointer_ = true;
  }
  events_.call<event_stack_pointer_set>("event_stack_pointer_set", mkIRExprVec_2(before, value),
                                        guard);
  if (guard == nullptr)
    loops_.forget_loop();
}

void JumpCode::side_exit(const IRStmt* exit) {
  costs_.side_exit();
  events_.report_marker();
  if (exit->Ist.Exit.jk == Ijk_Boring)
    jump_to(exit->Ist.Exit.dst->Ico.U64, exit->Ist.Exit.guard);
}

void JumpCode::block_end() {
  costs_.flush_instructions();
  const IRJumpKind kind = block_.in->jumpkind;
  const bool fixed = block_.in->next->tag == Iex_Const;
  if (sets_stack_pointer_ && !fixed && (kind == Ijk_Ret || kind == Ijk_Boring)) {
    events_.call<event_arrive>("event_arrive", target_and_site());
    return;
  }
  switch (kind) {
  case Ijk_Call: call(); break;
  case Ijk_Ret: return_(); break;
  case Ijk_Boring: jump(); break;
  default: // control comes back to the next instruction
    break;
  }
  events_.report_marker();
}

void JumpCode::call() {
  if (block_.in->next->tag == Iex_Const)
    return call_of(block_.in->next->Iex.Const.con->Ico.U64);
  IRExpr* sp = block_.stack_pointer();
  loops_.set_state(LoopState::none);
  if (events_.may_wait())
    events_.log_or_deliver("call_indirect", event_log::call_indirect,
                           {.kind = Kind::call_indirect, .address = block_.next_instruction});
  else
    events_.call<event_call_indirect>(
        "event_call_indirect",
        mkIRExprVec_3(block_.in->next, sp, constant(block_.next_instruction)));
}

void JumpCode::call_of(GuestAddr target) {
  const GuestAddr returns_to = block_.next_instruction;
  IRExpr* sp = block_.stack_pointer();
  if (target == returns_to)
    // Position-dependent code reads the instruction pointer so: not a call.
    return;
  if (routines->is_call_within(block_.instruction, target))
    return;
  loops_.set_state(LoopState::none);
  const RoutineId routine = routines->called(target);
  if (routine == RoutineId::stub && events_.may_wait())
    return events_.log({.kind = Kind::call_stub, .address = returns_to});
  if (routine == RoutineId::stub)
    return events_.call<event_call_stub>("event_call_stub",
                                         mkIRExprVec_2(sp, constant(returns_to)));
  if (!events_.may_wait(routine))
    return events_.call<event_call>(
        "event_call", mkIRExprVec_3(constant(index(routine)), sp, constant(returns_to)));
  const EventCode::PendingMarker spawn = events_.take_marker(begins_spawn);
  events_.log({.kind = spawn.kind == 0 ? Kind::call : Kind::spawn_call,
               .routine = routine,
               .address = returns_to,
               .marker = events_.kind_and_since(spawn),
               .location = spawn.location});
}

void JumpCode::return_() {
  loops_.set_state(LoopState::returned);
  if (!events_.may_wait())
    return events_.call<event_return>("event_return", target_and_site());
  const EventCode::PendingMarker sync = events_.take_marker(is_sync);
  events_.log({.kind = sync.kind == 0 ? Kind::return_ : Kind::sync_return,
               .address = block_.instruction,
               .marker = events_.kind_and_since(sync),
               .location = sync.location},
              block_.in->next);
}

void JumpCode::jump() {
  if (block_.in->next->tag == Iex_Const)
    return jump_to(block_.in->next->Iex.Const.con->Ico.U64, nullptr);
  // A tail call, or an unwinder.
  if (block_.latest_stack_pointer != IRTemp_INVALID)
    loops_.set_state(LoopState::unknown);
  if (block_.is_linkage() && block_.with.code_may_wait != nullptr)
    events_.log_or_deliver("stub_jump", event_log::stub_jump,
                           {.kind = Kind::stub_jump, .address = block_.site()});
  else if (block_.is_linkage())
    events_.call<event_stub_jump>("event_stub_jump", target_and_site());
  else if (events_.may_wait())
    events_.log_or_deliver("jump", event_log::jump,
                           {.kind = Kind::jump_within, .address = block_.site()});
  else
    events_.call<event_jump>("event_jump", target_and_site());
}

// A jump to a fixed address is a tail call if a routine begins there and the jump belongs to
// another routine. (The block may begin in a third routine, because one routine may fall through
// into the next.)
void JumpCode::jump_to(GuestAddr target, IRExpr* guard) {
  const RoutineId routine = routines->at_entry(target);
  if (routine == RoutineId::none && RoutineTable::is_nameless(target))
    late_entries::jump_judged(target, block_.address);
  if (routine == RoutineId::stub)
    return jump_to_stub(guard);
  if (routine == RoutineId::none || routines->same_routine(block_.instruction, target))
    return;
  if (guard == nullptr && events_.may_wait(routine))
    return events_.log({.kind = Kind::jump_to_entry, .routine = routine, .address = block_.site()});
  events_.call<event_jump_to_entry>(
      "event_jump_to_entry",
      mkIRExprVec_3(constant(index(routine)), block_.stack_pointer(), constant(block_.site())),
      guard);
}

// The stub's own jump says which routine is called.
void JumpCode::jump_to_stub(IRExpr* guard) {
  if (!block_.with.find_sites || block_.is_linkage())
    return;
  if (guard == nullptr && events_.may_wait())
    return events_.log({.kind = Kind::jump_to_stub, .address = block_.site()});
  events_.call<event_jump_to_stub>(
      "event_jump_to_stub", mkIRExprVec_2(block_.stack_pointer(), constant(block_.site())), guard);
}

IRExpr** JumpCode::target_and_site() {
  return mkIRExprVec_3(block_.in->next, block_.stack_pointer(), constant(block_.site()));
}
