// A superblock during translation: the input from VEX, the instrumented output, and the current
// statement and instruction. Shared by all parts that add code to it; lives for one call of
// instrument().
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
  // What linkage stubs read is no routine's input, and the cost of reaching the binder is no
  // routine's cost. So the first call of a routine looks like all others.
  const RoutineTable::Linkage linkage;
  Int at = 0; // index of the statement in `in`
  GuestAddr instruction = 0;
  GuestAddr next_instruction = 0;
  u64 seen = 0; // instructions before the next one, not counting markers
  IRTemp latest_stack_pointer = IRTemp_INVALID; // the value it was set to; invalid: not set yet

  bool is_linkage() const { return linkage != RoutineTable::Linkage::none; }
  // An address within the instruction; never 0, which means nowhere.
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
