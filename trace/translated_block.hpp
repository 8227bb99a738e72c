// A superblock that is being translated: what comes from VEX, what goes back, and the statement and
// instruction that the instrumenter has come to. Shared by all that add code to it; lives for one
// call of instrument().
#pragma once

#include "trace/instrument.hpp"
#include "trace/ir.hpp"
#include "trace/routines.hpp"

#include <algorithm>

struct TranslatedBlock {
  TranslatedBlock(const Instrumentation& instrumentation, GuestAddr begin, IRSB* block,
                  const VexGuestLayout* registers)
      : with(instrumentation), in(block), out(deepCopyIRSBExceptStmts(block)), layout(registers),
        address(begin), linkage(RoutineTable::linkage(begin)) {}

  const Instrumentation& with;
  IRSB* const in;
  IRSB* const out;
  const VexGuestLayout* const layout;
  const GuestAddr address;
  // What linkage stubs read is no routine's input; the way to the binder is no routine's cost
  // either, so that a routine's first call looks like all others.
  const RoutineTable::Linkage linkage;
  Int at = 0; // the statement, by its place in `in`
  GuestAddr instruction = 0;
  GuestAddr next_instruction = 0;
  u64 seen = 0; // instructions before the next one; markers are none
  IRTemp latest_stack_pointer = IRTemp_INVALID; // what has been put there; invalid: not known

  bool is_linkage() const { return linkage != RoutineTable::Linkage::none; }
  // A place in the instruction; never 0, which would be nowhere.
  GuestAddr site() const { return std::max(instruction, GuestAddr{1}); }

  void add(IRStmt* statement) { addStmtToIRSB(out, statement); }
  IRExpr* assign(IRType type, IRExpr* value) { return ir::assign(out, type, value); }
  IRExpr* stack_pointer() {
    if (latest_stack_pointer != IRTemp_INVALID)
      return IRExpr_RdTmp(latest_stack_pointer);
    return assign(Ity_I64, IRExpr_Get(layout->offset_SP, Ity_I64));
  }
  Int bytes_of(const IRExpr* value) const { return sizeofIRType(typeOfIRExpr(in->tyenv, value)); }
};
