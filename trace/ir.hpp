// Functions that build common pieces of VEX IR, shared by all files that instrument blocks.
#pragma once

#include "base/types.hpp"
#include "base/valgrind.hpp"

namespace ir {

inline IRExpr* constant(u64 value) { return IRExpr_Const(IRConst_U64(value)); }

inline IRExpr* assign(IRSB* block, IRType type, IRExpr* value) {
  const IRTemp temp = newIRTemp(block->tyenv, type);
  addStmtToIRSB(block, IRStmt_WrTmp(temp, value));
  return IRExpr_RdTmp(temp);
}

inline IRExpr* sum(IRSB* block, IRExpr* value, IRExpr* amount) {
  return assign(block, Ity_I64, IRExpr_Binop(Iop_Add64, value, amount));
}
inline IRExpr* sum(IRSB* block, IRExpr* value, u64 amount) {
  return sum(block, value, constant(amount));
}

inline void store(IRSB* block, const u64* address, IRExpr* value) {
  addStmtToIRSB(block, IRStmt_Store(Iend_LE, constant(reinterpret_cast<u64>(address)), value));
}

inline void count(IRSB* block, const u64* counter, IRExpr* amount) {
  IRExpr* address = constant(reinterpret_cast<u64>(counter));
  IRExpr* before = assign(block, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, address));
  store(block, counter, sum(block, before, amount));
}
inline void count(IRSB* block, const u64* counter, u64 amount) {
  count(block, counter, constant(amount));
}

// Calls a helper, conditionally if `guard` is not null.
inline void call(IRSB* block, const char* name, void* function, IRExpr** arguments,
                 IRExpr* guard = nullptr) {
  IRDirty* dirty = unsafeIRDirty_0_N(0, name, VG_(fnptr_to_fnentry)(function), arguments);
  if (guard != nullptr)
    dirty->guard = guard;
  addStmtToIRSB(block, IRStmt_Dirty(dirty));
}

// Index of the statement of the first instruction, after the core's own preamble; the number of
// statements if there is none.
inline Int first_instruction(const IRSB* block) {
  Int at = 0;
  while (at < block->stmts_used && block->stmts[at]->tag != Ist_IMark)
    at++;
  return at;
}

inline bool is_instruction_at(const IRStmt* statement, GuestAddr address) {
  return statement->tag == Ist_IMark && statement->Ist.IMark.addr == address;
}

} // namespace ir
