#include "trace/loops/loop_events.hpp"

#include "trace/call_events.hpp"
#include "trace/clock.hpp"
#include "trace/ir.hpp"
#include "trace/loops/loop_jumps.hpp"
#include "trace/loops/loop_source.hpp"
#include "trace/loops/loop_table.hpp"
#include "trace/sink.hpp"
#include "trace/threads.hpp"

namespace loop_events {

Jump latest_jump;

namespace {

using threads::current;

// The latest longjmp or exception; `from` is the return address of the call that it left.
Jump latest_unwinding;

RoutineId routine_of(GuestAddr block) {
  const char* name;
  if (current == nullptr) // nothing has run yet
    return routines->containing(block);
  const CallStack& calls = current->calls;
  if (calls.empty() || VG_(get_fnname)(VG_(current_DiEpoch)(), block, &name))
    return routines->containing(block);
  return calls.top().routine;
}

IRExpr* word_at(IRSB* block, IRExpr* address) {
  return ir::assign(block, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, address));
}
IRExpr* word_at(IRSB* block, const void* address) {
  return word_at(block, ir::constant(reinterpret_cast<u64>(address)));
}

// Compares `loop` with the running loop.
IRExpr* compare(IRSB* block, const RunningLoop& running, IROp comparison, const Loop* loop) {
  IRExpr* const runs =
      word_at(block, ir::sum(block, word_at(block, running.activation), running.loop));
  return ir::assign(block, Ity_I1,
                    IRExpr_Binop(comparison, runs, ir::constant(reinterpret_cast<u64>(loop))));
}

// Calls a helper. The last of its arguments is the guest state. `guard`: null: always.
void call(IRSB* block, const char* name, void* function, IRExpr** arguments, IRExpr* guard) {
  IRDirty* const call = unsafeIRDirty_0_N(0, name, VG_(fnptr_to_fnentry)(function), arguments);
  if (guard != nullptr)
    call->guard = guard;
  client_clock::say_helper_reads(call);
  addStmtToIRSB(block, IRStmt_Dirty(call));
}

// Counts only if `loop` is the running loop: while a symbol is being bound, that is still the loop
// that called the binder. It may also be the same loop of another routine (of_running_routine).
void count_trip(IRSB* block, const RunningLoop& running, const LoopTable::Leader& leader) {
  IRExpr* const runs = compare(block, running, Iop_CmpEQ64, leader.innermost);
  IRExpr* const trips = leader.is_leaf
                            ? ir::constant(reinterpret_cast<u64>(running.leaf_trips))
                            : ir::sum(block, word_at(block, running.activation), running.trips);
  IRExpr* const counted = ir::sum(block, word_at(block, trips), 1);
  addStmtToIRSB(block, IRStmt_StoreG(Iend_LE, trips, counted, runs));
  if ((*routines)[leader.routine].has_symbol)
    return;
  IRDirty* const other =
      unsafeIRDirty_0_N(0, "at_other_iteration",
                        VG_(fnptr_to_fnentry)(reinterpret_cast<void*>(running.at_other_iteration)),
                        mkIRExprVec_1(ir::constant(reinterpret_cast<u64>(leader.innermost))));
  other->guard = compare(block, running, Iop_CmpNE64, leader.innermost);
  addStmtToIRSB(block, IRStmt_Dirty(other));
}

void at_header(IRSB* block, const RunningLoop& running, const LoopTable::Leader& leader,
               bool counts) {
  counts &= leader.counts;
  IRExpr** const arguments =
      mkIRExprVec_2(ir::constant(reinterpret_cast<u64>(leader.innermost)), IRExpr_GSPTR());
  if (!leader.is_leaf) {
    const auto helper = counts ? running.at_counting_header : running.at_header;
    return call(block, "at_header", reinterpret_cast<void*>(helper), arguments, nullptr);
  }
  const auto helper = counts ? running.at_counting_leaf : running.at_leaf;
  call(block, "at_leaf", reinterpret_cast<void*>(helper), arguments,
       compare(block, running, Iop_CmpNE64, leader.innermost));
  if (counts)
    ir::count(block, running.leaf_trips, 1);
}

// Whether the running routine is another one, which has the same code.
bool is_run_by_another(RoutineId routine) {
  const CallStack& calls = current->calls;
  const RoutineId runs = calls.empty() ? RoutineId::none : calls.top().routine;
  if (runs == routine || runs == RoutineId::none || runs == RoutineId::stub ||
      current->binding_slot != 0)
    return false;
  const Routine& one = (*routines)[routine];
  const Routine& other = (*routines)[runs];
  return !one.has_symbol && !other.has_symbol && one.object == other.object;
}

} // namespace

Loop* of_running_routine(Loop* loop, RoutineId& routine) {
  if (!is_run_by_another(routine))
    return loop;
  routine = current->calls.top().routine;
  return loop == nullptr ? nullptr : loops->known_loop(routine, loop->header);
}

Loop* header_in_running_routine(Loop* loop) {
  return is_run_by_another(loop->routine) ? loops->same_loop(*loop, current->calls.top().routine)
                                          : loop;
}

// What runs while a symbol is bound is in no loop of the program.
void event_loop(Loop* loop) {
  if (current->binding_slot != 0)
    return;
  if (loop->source == nullptr) [[unlikely]]
    find_sources(*loop);
  sink::loop(*loop);
}

void event_in_loop(Loop* innermost, RoutineId routine) {
  if (current->binding_slot != 0)
    return;
  if (innermost != nullptr && innermost->source == nullptr) [[unlikely]]
    find_sources(*innermost);
  sink::in_loop(innermost, routine);
}

void event_unwind(RoutineId routine, GuestAddr left_call, GuestAddr target) {
  latest_unwinding = {left_call, target};
  if (loops->has(target))
    event_in_loop(loops->innermost(routine, target), routine);
}

void find_loops(GuestAddr address, const IRSB* block) {
  for (Int i = 0; i < block->stmts_used; i++)
    if (const IRStmt* const statement = block->stmts[i]; statement->tag == Ist_IMark)
      loops->forget_if_changed(statement->Ist.IMark.addr);
  loops->search_late_entries();
  if (loops->has(address))
    return;
  LoopTable::Entry entry{address, LoopTable::Entry::unknown, 0};
  if (latest_unwinding.to == address)
    entry = {address, LoopTable::Entry::unwinding, latest_unwinding.from};
  else if (latest_jump.to == address)
    entry = {address, LoopTable::Entry::jump, latest_jump.from};
  loops->find(routine_of(address), entry);
}

void add(IRSB* block, const RunningLoop& running, GuestAddr instruction) {
  const LoopTable::Leader* const leader = loops->leader(instruction);
  if (leader == nullptr)
    return;
  Loop* const loop = leader->innermost;
  const bool is_traced = running.at_iteration != nullptr;
  if (leader->is_header)
    at_header(block, running, *leader, !is_traced);
  else if (leader->may_leave)
    call(block, "in_loop", reinterpret_cast<void*>(running.in_loop),
         mkIRExprVec_3(ir::constant(reinterpret_cast<u64>(loop)),
                       ir::constant(index(leader->routine)), IRExpr_GSPTR()),
         compare(block, running, Iop_CmpNE64, loop));
  if (leader->counts && is_traced)
    ir::call(block, "at_iteration", reinterpret_cast<void*>(running.at_iteration),
             mkIRExprVec_1(ir::constant(reinterpret_cast<u64>(loop))));
  else if (leader->counts && !leader->is_header)
    count_trip(block, running, *leader);
}

} // namespace loop_events
