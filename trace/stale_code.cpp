#include "trace/stale_code.hpp"

#include "base/lazy.hpp"
#include "base/vector.hpp"
#include "trace/ir.hpp"

extern "C" {
#include "libvex_guest_amd64.h"
}

namespace stale_code {
namespace {

Lazy<Vector<GuestAddr>> stale{"trace.stale"};

u64 discarded; // what the core discards next
constexpr u64 kOneByte = 1;

// Stale blocks are discarded first, and the block that asks last.
void event_discard(GuestAddr asking) {
  discarded = stale->empty() ? asking : stale->back();
  if (!stale->empty())
    stale->pop_back();
}

} // namespace

void add(GuestAddr address) { stale->push_back(address); }

IRSB* instead_of(const IRSB* block, const VgCallbackClosure& closure) {
  if (stale->empty())
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

} // namespace stale_code
