#include "trace/loops/logged_loops.hpp"

#include "trace/event_log.hpp"
#include "trace/guest_registers.hpp"
#include "trace/ir.hpp"
#include "trace/loops/loop_events.hpp"
#include "trace/loops/loop_source.hpp"

namespace logged_loops {
namespace {

// A register whose shadow the clock does not need (trace/clock.cpp).
constexpr Int kRegister = offsetof(VexGuestAMD64State, guest_R15);
constexpr Int kOffset = guest::in_shadow(kRegister);

IRExpr* constant(State state) { return ir::constant(static_cast<u64>(state)); }
constexpr u64 kInBody = 1;

u64 place(const Loop* loop, bool in_condition) {
  return reinterpret_cast<u64>(loop) | (loop != nullptr && !in_condition ? kInBody : 0);
}

IRExpr* compare(IRSB* block, IROp comparison, IRExpr* kept, u64 value) {
  return ir::assign(block, Ity_I1, IRExpr_Binop(comparison, kept, ir::constant(value)));
}
IRExpr* choose(IRSB* block, IRExpr* condition, u64 value, IRExpr* otherwise) {
  return ir::assign(block, Ity_I64, IRExpr_ITE(condition, ir::constant(value), otherwise));
}

// What an arrival in a loop counts.
enum Counts : u64 {
  kNothing,
  kElsewhere = 1, // the loop is begun in its body, where no iteration is counted
  kOuter = 2,     // in the loop around it, an iteration begins with this one
};

// Control comes into the loop `innermost`, `kept` being what was. Loops that begin unseen have an
// iteration.
void arrives(Loop* innermost, u64 kept, u64 counts) {
  if (innermost == nullptr)
    return;
  if (innermost->source == nullptr) [[unlikely]]
    find_sources(*innermost);
  if (kept == static_cast<u64>(State::unknown) || kept == static_cast<u64>(State::returned))
    return;
  const auto* const before = reinterpret_cast<const Loop*>(kept & ~kInBody);
  if (!innermost->contains(before))
    innermost->iterations += counts & kElsewhere;
  if (innermost->parent == nullptr)
    return;
  innermost->parent->iterations += (counts & kOuter) != 0 && before == innermost->parent;
  for (Loop* loop = innermost->parent; loop != nullptr && !loop->contains(before);
       loop = loop->parent)
    loop->iterations++;
}

void event_in_loop_later(u64 kind_and_site, GuestAddr sp, Loop* innermost, u64 kept, u64 counts) {
  arrives(innermost, kept, counts);
  event_log::in_loop(kind_and_site, sp);
}

void event_in_loop_now(Loop* innermost, u64 routine, u64 kept, u64 counts) {
  arrives(innermost, kept, counts);
  loop_events::event_in_loop(innermost, static_cast<RoutineId>(routine));
}

void event_condition_now(Loop* loop, u64, u64 kept, u64 counts) {
  arrives(loop, kept, counts);
  loop_events::event_loop(loop);
}

void log(IRSB* block, const LoopTable::Leader& leader, GuestAddr instruction, bool may_wait,
         IRExpr* stack_pointer, IRExpr* kept, IRExpr* guard) {
  IRExpr* const loop = ir::constant(reinterpret_cast<u64>(leader.innermost));
  IRExpr* const counts =
      ir::constant((leader.counts || leader.is_condition ? kNothing : kElsewhere) |
                   (leader.counts_outer ? kOuter : kNothing));
  if (may_wait)
    return ir::call(
        block, "event_in_loop_later", reinterpret_cast<void*>(event_in_loop_later),
        mkIRExprVec_5(ir::constant(event_log::kind_and_site({.kind = event_log::Kind::in_loop,
                                                             .routine = leader.routine,
                                                             .address = instruction,
                                                             .loop = leader.innermost,
                                                             .is_condition = leader.is_condition})),
                      stack_pointer, loop, kept, counts),
        guard);
  auto* const now = leader.is_condition ? event_condition_now : event_in_loop_now;
  ir::call(block, "event_in_loop_now", reinterpret_cast<void*>(now),
           mkIRExprVec_4(loop, ir::constant(index(leader.routine)), kept, counts), guard);
}

} // namespace

void keep(IRSB* block, State state) { addStmtToIRSB(block, IRStmt_Put(kOffset, constant(state))); }

void ask(IRSB* block, const LoopTable::Leader& leader, GuestAddr instruction, bool may_wait,
         IRExpr* stack_pointer) {
  IRExpr* kept = ir::assign(block, Ity_I64, IRExpr_Get(kOffset, Ity_I64));
  if (leader.is_returned_to)
    kept = choose(block, compare(block, Iop_CmpEQ64, kept, static_cast<u64>(State::returned)),
                  place(leader.calls_in, leader.calls_in_condition), kept);
  const u64 here = place(leader.innermost, leader.is_condition);
  IRExpr* const loop =
      leader.is_condition
          ? ir::assign(block, Ity_I64, IRExpr_Binop(Iop_And64, kept, ir::constant(~kInBody)))
          : kept;
  IRExpr* const is_another = compare(block, Iop_CmpNE64, loop, here);
  IRExpr* const after =
      leader.is_condition ? choose(block, is_another, here, kept) : ir::constant(here);
  addStmtToIRSB(block, IRStmt_Put(kOffset, after));
  log(block, leader, instruction, may_wait, stack_pointer, kept, is_another);
}

void count_iteration(IRSB* block, Loop& loop) { ir::count(block, &loop.iterations, 1); }

void handler_starts(ThreadId tid) {
  const State unknown = State::unknown;
  VG_(set_shadow_regs_area)
  (tid, guest::kShadow, kRegister, sizeof unknown, reinterpret_cast<const UChar*>(&unknown));
}

} // namespace logged_loops
