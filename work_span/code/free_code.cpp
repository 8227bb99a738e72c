#include "work_span/code/free_code.hpp"

#include "base/pattern.hpp"
#include "trace/call_events.hpp"
#include "trace/guest_registers.hpp"
#include "trace/ir.hpp"
#include "work_span/order/locks.hpp"
#include "work_span/order/spin_locks.hpp"
#include "work_span/runtimes/hooks.hpp"

namespace free_code {
namespace {

// Returns the size of the block by the word that glibc's malloc stores before it; 0 if there is
// none.
u64 size_of_block(GuestAddr block) {
  constexpr u64 kFlags = 7;
  const GuestAddr header = block - sizeof(u64);
  return VG_(am_is_valid_for_client)(header, sizeof(u64), VKI_PROT_READ)
             ? *reinterpret_cast<const u64*>(header) & ~kFlags
             : 0;
}

void freed() {
  const GuestAddr block = guest::argument(0);
  if (block == 0)
    return;
  const GuestAddr end = block + size_of_block(block);
  locks::freed(block, end);
  spin_locks::freed(block, end);
}

bool is_free(GuestAddr address) {
  const char* name = nullptr;
  return VG_(get_fnname_if_entry)(VG_(current_DiEpoch)(), address, &name) &&
         matches(name, {"free", "cfree", "__libc_free"}) &&
         shadow::is_of_c_library((*routines)[routines->containing(address)]);
}

} // namespace

IRSB* instrument(IRSB* block) {
  const Int first = ir::first_instruction(block);
  if (first == block->stmts_used || !is_free(block->stmts[first]->Ist.IMark.addr))
    return block;
  IRSB* completed = deepCopyIRSBExceptStmts(block);
  for (Int i = 0; i < block->stmts_used; i++) {
    addStmtToIRSB(completed, block->stmts[i]);
    if (i != first)
      continue;
    IRExpr* seen = ir::constant(reinterpret_cast<u64>(&locks::seen));
    IRExpr* locks = ir::assign(completed, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, seen));
    ir::call(completed, "freed", reinterpret_cast<void*>(freed), mkIRExprVec_0(),
             ir::assign(completed, Ity_I1, IRExpr_Binop(Iop_CmpNE64, locks, ir::constant(0))));
  }
  return completed;
}

} // namespace free_code
