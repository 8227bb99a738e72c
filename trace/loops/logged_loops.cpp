#include "trace/loops/logged_loops.hpp"

#include "base/address_map.hpp"
#include "base/lazy.hpp"
#include "trace/guest_registers.hpp"
#include "trace/ir.hpp"
#include "trace/loops/loop_events.hpp"
#include "trace/loops/loop_source.hpp"
#include "trace/sink.hpp"

namespace logged_loops {
namespace {

// A register whose shadow the clock does not use (trace/clock.cpp).
constexpr Int kRegister = offsetof(VexGuestAMD64State, guest_R15);
constexpr Int kOffset = guest::in_shadow(kRegister);

IRExpr* constant(State state) { return ir::constant(static_cast<u64>(state)); }
constexpr u64 kInBody = 1;

u64 place(const Loop* loop, bool in_condition) {
  return reinterpret_cast<u64>(loop) | (loop != nullptr && !in_condition ? kInBody : 0);
}

// Whether the kept word says which loop control was in (null: in none).
bool is_known(u64 kept) {
  return kept != static_cast<u64>(State::unknown) && kept != static_cast<u64>(State::returned);
}
const Loop* loop_of(u64 kept) { return reinterpret_cast<const Loop*>(kept & ~kInBody); }

IRExpr* compare(IRSB* block, IROp comparison, IRExpr* kept, u64 value) {
  return ir::assign(block, Ity_I1, IRExpr_Binop(comparison, kept, ir::constant(value)));
}
IRExpr* choose(IRSB* block, IRExpr* condition, u64 value, IRExpr* otherwise) {
  return ir::assign(block, Ity_I64, IRExpr_ITE(condition, ir::constant(value), otherwise));
}

// What an arrival in a loop counts, besides outer loops that begin unseen.
enum Counts : u32 {
  kNothing,
  kElsewhere = 1, // the loop may be entered in its body, behind the code that counts its iterations
  kOuter = 2,     // an iteration of the loop around it begins here, too
};

// Control arrives in the loop `innermost`; `kept` is the word kept until now. Loops that begin
// unseen get one iteration. Calls begins(loop) for each iteration that has not been counted.
template <typename F> void arrives(Loop* innermost, u64 kept, u32 counts, F begins) {
  if (innermost == nullptr || !is_known(kept))
    return;
  const Loop* const before = loop_of(kept);
  if ((counts & kElsewhere) != 0 && !innermost->contains(before))
    begins(*innermost);
  if (innermost->parent == nullptr)
    return;
  if ((counts & kOuter) != 0 && before == innermost->parent)
    begins(*innermost->parent);
  for (Loop* loop = innermost->parent; loop != nullptr && !loop->contains(before);
       loop = loop->parent)
    begins(*loop);
}

// What is known about an arrival at translation.
struct Arrival {
  u32 kind_and_site;
  u32 counts;
  Loop* innermost;
  GuestAddr instruction;
};

// Whether an inner loop begins or ends. Most arrivals are such, and count nothing. A loop that was
// found while it was running may end without having begun.
bool is_common(const Arrival& at, u64 kept) {
  const Loop* const here = at.innermost;
  if (at.counts != kNothing || !is_known(kept) || (here != nullptr && here->source == nullptr))
    return false;
  const Loop* const before = loop_of(kept);
  return (before != nullptr && before->parent == here) ||
         (here != nullptr && here->parent == before);
}

void event_in_loop_later(const Arrival* at, u64 kept, u64 time, const VexGuestAMD64State* state) {
  event_log::in_loop(at->kind_and_site, state->guest_RSP, time);
  if (is_common(*at, kept)) [[likely]]
    return;
  if (at->innermost != nullptr && at->innermost->source == nullptr)
    find_sources(*at->innermost);
  arrives(at->innermost, kept, at->counts, [&](Loop& loop) {
    loop.iterations++;
    if (loop.logs_iterations)
      event_log::in_loop(event_log::kind_and_site(iteration_of(loop, at->instruction)),
                         state->guest_RSP, time);
  });
}

// Code that is translated again gets the same Arrival.
const Arrival* arrival_of(const LoopTable::Leader& leader, GuestAddr instruction, u32 counts) {
  const u32 site = event_log::kind_and_site({.kind = event_log::Kind::in_loop,
                                             .routine = leader.routine,
                                             .address = instruction,
                                             .marker = counts,
                                             .loop = leader.innermost,
                                             .is_condition = leader.is_condition});
  static Lazy<AddressMap<const Arrival*>> arrivals{"trace.loops.arrivals"};
  const Arrival*& known = arrivals->at(site);
  if (known == nullptr)
    known = create<Arrival>("trace.loops.arrivals",
                            Arrival{site, counts, leader.innermost, instruction});
  return known;
}

// Reads the stack pointer in the helper: passing it would compute it even when nothing is logged.
void log_later(IRSB* block, const Arrival* arrival, IRExpr* kept, IRExpr* time, IRExpr* guard) {
  IRDirty* const call = unsafeIRDirty_0_N(
      0, "event_in_loop_later", VG_(fnptr_to_fnentry)(reinterpret_cast<void*>(event_in_loop_later)),
      mkIRExprVec_4(ir::constant(reinterpret_cast<u64>(arrival)), kept, time, IRExpr_GSPTR()));
  call->guard = guard;
  call->nFxState = 1;
  call->fxState[0] = {};
  call->fxState[0].fx = Ifx_Read;
  call->fxState[0].offset = offsetof(VexGuestAMD64State, guest_RSP);
  call->fxState[0].size = sizeof(u64);
  addStmtToIRSB(block, IRStmt_Dirty(call));
}

void count_at_once(Loop* innermost, u64 kept, u32 counts) {
  arrives(innermost, kept, counts, [](Loop& loop) {
    loop.iterations++;
    if (loop.logs_iterations)
      sink::iteration(loop);
  });
}

void event_in_loop_now(Loop* innermost, u64 routine, u64 kept, u32 counts) {
  loop_events::event_in_loop(innermost, static_cast<RoutineId>(routine));
  count_at_once(innermost, kept, counts);
}

void event_condition_now(Loop* loop, u64, u64 kept, u32 counts) {
  loop_events::event_loop(loop);
  count_at_once(loop, kept, counts);
}

u32 counts_at(const LoopTable::Leader& leader) {
  return (leader.counts || leader.is_condition ? kNothing : kElsewhere) |
         (leader.counts_outer ? kOuter : kNothing);
}

void log_now(IRSB* block, const LoopTable::Leader& leader, IRExpr* kept, IRExpr* guard) {
  auto* const now = leader.is_condition ? event_condition_now : event_in_loop_now;
  ir::call(block, "event_in_loop_now", reinterpret_cast<void*>(now),
           mkIRExprVec_4(ir::constant(reinterpret_cast<u64>(leader.innermost)),
                         ir::constant(index(leader.routine)), kept,
                         ir::constant(counts_at(leader))),
           guard);
}

} // namespace

void set_state(IRSB* block, State state) {
  addStmtToIRSB(block, IRStmt_Put(kOffset, constant(state)));
}

void log_change(IRSB* block, const LoopTable::Leader& leader, GuestAddr instruction, IRExpr* time) {
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
  if (time != nullptr)
    log_later(block, arrival_of(leader, instruction, counts_at(leader)), kept, time, is_another);
  else
    log_now(block, leader, kept, is_another);
  addStmtToIRSB(block, IRStmt_Put(kOffset, after));
}

event_log::LogSite iteration_of(Loop& loop, GuestAddr instruction) {
  return {.kind = event_log::Kind::in_loop,
          .routine = loop.routine,
          .address = instruction,
          .marker = event_log::LogSite::kIteration,
          .loop = &loop};
}

void event_iteration(const Loop* of) { sink::iteration(*of); }

void count_iteration(IRSB* block, Loop& loop) { ir::count(block, &loop.iterations, 1); }

void handler_starts(ThreadId tid) {
  const State unknown = State::unknown;
  VG_(set_shadow_regs_area)
  (tid, guest::kShadow, kRegister, sizeof unknown, reinterpret_cast<const UChar*>(&unknown));
}

} // namespace logged_loops
