#include "cilkshadow/atomic_code.hpp"

#include "base/pattern.hpp"
#include "base/vector.hpp"
#include "cilkshadow/atomic_waits.hpp"
#include "trace/call_events.hpp"
#include "trace/ir.hpp"

namespace atomic_code {
namespace {

bool is_of_atomics(GuestAddr instruction) {
  const auto [file, line] = routines->line_of(instruction);
  return file != 0 && matches(routines->files()[file], {"*/bits/atomic_base.h", "*/atomic"});
}

// Other changes are of vectors, or of two words at once.
bool changes_word(const IRSB* block, const IRStmt* statement) {
  if (statement->tag == Ist_CAS)
    return statement->Ist.CAS.details->dataHi == nullptr;
  if (statement->tag != Ist_Store)
    return false;
  const IRType type = typeOfIRExpr(block->tyenv, statement->Ist.Store.data);
  return type == Ity_I8 || type == Ity_I16 || type == Ity_I32 || type == Ity_I64;
}

Vector<const IRStmt*> changes_of_atomics(const IRSB* block) {
  Vector<const IRStmt*> changes("cilkshadow.atomics");
  GuestAddr instruction = 0;
  for (Int i = 0; i < block->stmts_used; i++) {
    const IRStmt* statement = block->stmts[i];
    if (statement->tag == Ist_IMark)
      instruction = statement->Ist.IMark.addr;
    if (changes_word(block, statement) && is_of_atomics(instruction))
      changes.push_back(statement);
  }
  return changes;
}

IRExpr* bytes_of(const IRSB* block, const IRExpr* value) {
  return ir::constant(static_cast<u64>(sizeofIRType(typeOfIRExpr(block->tyenv, value))));
}

IRExpr* widened(IRSB* block, IRExpr* value) {
  const auto by = [&](IROp operation) {
    return ir::assign(block, Ity_I64, IRExpr_Unop(operation, value));
  };
  switch (typeOfIRExpr(block->tyenv, value)) {
  case Ity_I8: return by(Iop_8Uto64);
  case Ity_I16: return by(Iop_16Uto64);
  case Ity_I32: return by(Iop_32Uto64);
  default: return value;
  }
}

IRDirty* call(const char* name, void* function, IRExpr** arguments) {
  return unsafeIRDirty_0_N(0, name, VG_(fnptr_to_fnentry)(function), arguments);
}

void tell_of_store(const Instrumentation& with, IRSB* block, const IRStmt* statement) {
  IRExpr* data = statement->Ist.Store.data;
  publish_clock(with, block);
  addStmtToIRSB(block,
                IRStmt_Dirty(call("stored", reinterpret_cast<void*>(atomic_waits::stored),
                                  mkIRExprVec_3(statement->Ist.Store.addr, bytes_of(block, data),
                                                widened(block, data)))));
}

} // namespace

void tell_of_change(const Instrumentation& with, IRSB* block, const IRCAS& cas,
                    void (*changed)(GuestAddr address, u64 bytes, u64 before, u64 after)) {
  IRExpr* before = widened(block, cas.expdLo);
  IRExpr* found = widened(block, IRExpr_RdTmp(cas.oldLo));
  publish_clock(with, block);
  IRDirty* dirty = call(
      "changed", reinterpret_cast<void*>(changed),
      mkIRExprVec_4(cas.addr, bytes_of(block, cas.dataLo), before, widened(block, cas.dataLo)));
  dirty->guard = ir::assign(block, Ity_I1, IRExpr_Binop(Iop_CmpEQ64, found, before));
  addStmtToIRSB(block, IRStmt_Dirty(dirty));
}

IRSB* instrument(const Instrumentation& with, const IRSB* block, IRSB* traced) {
  const Vector<const IRStmt*> changes = changes_of_atomics(block);
  if (changes.empty())
    return traced;
  IRSB* completed = deepCopyIRSBExceptStmts(traced);
  std::size_t next = 0;
  for (Int i = 0; i < traced->stmts_used; i++) {
    IRStmt* statement = traced->stmts[i];
    addStmtToIRSB(completed, statement);
    if (next == changes.size() || statement != changes[next])
      continue;
    next++;
    if (statement->tag == Ist_CAS)
      tell_of_change(with, completed, *statement->Ist.CAS.details, atomic_waits::changed);
    else
      tell_of_store(with, completed, statement);
  }
  return completed;
}

} // namespace atomic_code
