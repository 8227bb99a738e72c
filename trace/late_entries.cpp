#include "trace/late_entries.hpp"

#include "base/address_map.hpp"
#include "base/vector.hpp"
#include "trace/ir.hpp"

extern "C" {
#include "libvex_guest_amd64.h"
}

namespace late_entries {
namespace {

struct Jump {
  GuestAddr block;
  u32 next; // number + 1 of the next jump to the same target; 0: none
};

struct State {
  AddressMap<u32> by_target{"trace.jumps"}; // number + 1 of the first Jump; 0: none
  Vector<Jump> jumps{"trace.jumps"};
  Vector<GuestAddr> stale{"trace.jumps"}; // blocks to be translated anew
};
State* state;

u64 discarded; // the block that the core discards next
constexpr u64 kOneByte = 1;

// Stale blocks are discarded first, and the block that asks last.
void event_discard(GuestAddr asking) {
  discarded = state->stale.empty() ? asking : state->stale.back();
  if (!state->stale.empty())
    state->stale.pop_back();
}

} // namespace

void jump_judged(GuestAddr target, GuestAddr block) {
  if (state == nullptr)
    state = create<State>("trace.jumps");
  u32* first = state->by_target.find(target);
  if (first == nullptr)
    first = &state->by_target.insert(target, 0);
  state->jumps.push_back({block, *first});
  *first = static_cast<u32>(state->jumps.size());
}

void found(GuestAddr target) {
  u32* first = state == nullptr ? nullptr : state->by_target.find(target);
  if (first == nullptr)
    return;
  for (u32 number = *first; number != 0; number = state->jumps[number - 1].next)
    state->stale.push_back(state->jumps[number - 1].block);
  *first = 0;
}

IRSB* instead_of(const IRSB* block, const VgCallbackClosure& closure) {
  if (state == nullptr || state->stale.empty())
    return nullptr;
  IRSB* const out = deepCopyIRSBExceptStmts(block);
  addStmtToIRSB(out, block->stmts[ir::first_instruction(block)]);
  ir::call(out, "event_discard", reinterpret_cast<void*>(event_discard),
           mkIRExprVec_1(ir::constant(closure.readdr)));
  IRExpr* const begin = ir::assign(
      out, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, ir::constant(reinterpret_cast<u64>(&discarded))));
  addStmtToIRSB(out, IRStmt_Put(offsetof(VexGuestAMD64State, guest_CMSTART), begin));
  addStmtToIRSB(out, IRStmt_Put(offsetof(VexGuestAMD64State, guest_CMLEN), ir::constant(kOneByte)));
  out->next = ir::constant(closure.nraddr);
  out->jumpkind = Ijk_InvalICache;
  return out;
}

} // namespace late_entries
