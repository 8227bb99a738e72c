#include "work_span/code/atomic_code.hpp"

#include "base/address_map.hpp"
#include "base/lazy.hpp"
#include "base/pattern.hpp"
#include "base/vector.hpp"
#include "trace/call_events.hpp"
#include "trace/ir.hpp"
#include "work_span/order/atomic_sources.hpp"
#include "work_span/order/atomic_waits.hpp"
#include "work_span/order/cxx_objects.hpp"
#include "work_span/runtimes/routine_classes.hpp"

namespace atomic_code {
namespace {

using namespace atomic_sources;

// Whether that is one of the standard library which has a frame: push %rbp; mov %rsp,%rbp.
bool has_frame(GuestAddr instruction) {
  const Routine* routine = routine_of(instruction);
  if (routine == nullptr || source_of_file(routine->file) == Source::program)
    return false;
  constexpr u8 kEndbr[] = {0xF3, 0x0F, 0x1E, 0xFA};
  constexpr u8 kPrologue[] = {0x55, 0x48, 0x89, 0xE5};
  const GuestAddr offset = RoutineTable::address_in_file(instruction) - routine->address;
  const auto* code = reinterpret_cast<const u8*>(instruction - offset);
  if (VG_(memcmp)(code, kEndbr, sizeof kEndbr) == 0)
    code += sizeof kEndbr;
  return VG_(memcmp)(code, kPrologue, sizeof kPrologue) == 0;
}

// Others are of vectors, or of two words at once.
bool is_word(IRType type) {
  return type == Ity_I8 || type == Ity_I16 || type == Ity_I32 || type == Ity_I64;
}

bool is_load(const IRStmt* statement) {
  return statement->tag == Ist_WrTmp && statement->Ist.WrTmp.data->tag == Iex_Load;
}

bool may_be_told(const IRSB* block, const IRStmt* statement) {
  if (statement->tag == Ist_CAS)
    return statement->Ist.CAS.details->dataHi == nullptr;
  if (statement->tag == Ist_Store)
    return is_word(typeOfIRExpr(block->tyenv, statement->Ist.Store.data));
  return is_load(statement) && is_word(statement->Ist.WrTmp.data->Iex.Load.ty);
}

bool is_told(const IRStmt* statement, Source source) {
  return source == Source::atomics ||
         (statement->tag == Ist_CAS &&
          (source == Source::waits || source == Source::several_lines));
}

// By address.
Lazy<AddressMap<bool>> instructions_without_lines{"cilkshadow.atomics"};

// It may be of what threads wait for: no library's of the system, and no counting of references.
void note_if_without_line(GuestAddr instruction) {
  const Routine* routine = routine_of(instruction);
  if (routines->line_of(instruction).file != 0 || !routine_classes->is_of_program(instruction) ||
      matches(routines->objects()[routine->object], {"/usr/lib*", "/lib*"}) ||
      matches(routine->name, {"std::_Sp_counted_base<*", "__gnu_cxx::*"}))
    return;
  if (instructions_without_lines->find(instruction) == nullptr)
    instructions_without_lines->insert(instruction, true);
}

struct Told {
  const IRStmt* statement;
  Int at; // in the block
  Source source;
  GuestAddr instruction;
};

Vector<Told> told_of(const IRSB* block) {
  Vector<Told> told("cilkshadow.atomics");
  GuestAddr instruction = 0;
  for (Int i = 0; i < block->stmts_used; i++) {
    const IRStmt* statement = block->stmts[i];
    if (statement->tag == Ist_IMark)
      instruction = statement->Ist.IMark.addr;
    if (!may_be_told(block, statement))
      continue;
    if (statement->tag == Ist_CAS)
      note_if_without_line(instruction);
    if (const Source source = source_of(instruction); is_told(statement, source))
      told.push_back({statement, i, source, instruction});
  }
  return told;
}

using Changed = void (*)(GuestAddr address, u64 bytes, u64 before, u64 after);

// Whose a std::atomic is: a semaphore's, barrier's, latch's or future's next to code of theirs, or
// else in their routines. `at`: where in the block.
Source owner_of(const IRSB* block, Int at, GuestAddr instruction) {
  const auto is_owner = [](Source source) { return source > Source::waits; };
  // Source::program: code of somebody else, or another atomic, comes first.
  const auto nearest = [&](Int step) {
    for (Int i = at + step; 0 <= i && i < block->stmts_used; i += step) {
      const IRStmt* statement = block->stmts[i];
      if (statement->tag == Ist_CAS)
        return Source::program;
      if (statement->tag != Ist_IMark && statement->tag != Ist_Exit)
        continue;
      const Source source =
          source_of(statement->tag == Ist_IMark ? GuestAddr{statement->Ist.IMark.addr}
                                                : GuestAddr{statement->Ist.Exit.dst->Ico.U64});
      if (is_owner(source) || (source == Source::program && statement->tag == Ist_IMark))
        return source;
    }
    const bool falls_out = step > 0 && block->next->tag == Iex_Const;
    return falls_out ? source_of(block->next->Iex.Const.con->Ico.U64) : Source::program;
  };
  if (const Source after = nearest(1); is_owner(after))
    return after;
  if (const Source before = nearest(-1); is_owner(before))
    return before;
  const Routine* routine = routine_of(instruction);
  const Source source = routine == nullptr ? Source::program : source_of_file(routine->file);
  return is_owner(source) ? source : Source::program;
}

bool is_in_completing_barrier(GuestAddr instruction) {
  const Routine* routine = routine_of(instruction);
  return routine != nullptr && matches(routine->name, {"std::__tree_barrier<*"}) &&
         !matches(routine->name, {"*<std::__empty_completion>*"});
}

Changed changed_by(const IRSB* block, Int at, GuestAddr instruction) {
  switch (owner_of(block, at, instruction)) {
  case Source::semaphores: return cxx_objects::semaphore_changed;
  case Source::futures: return cxx_objects::future_changed;
  case Source::barriers:
    return is_in_completing_barrier(instruction) ? cxx_objects::completing_barrier_changed
                                                 : cxx_objects::barrier_changed;
  default: return atomic_waits::changed;
  }
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

// `told` is told of its address and size, and whether it is by a routine that has_frame.
void tell_of_access(IRSB* block, const Told& access, const char* name,
                    void (*told)(GuestAddr address, u64 bytes, bool has_frame)) {
  const bool loads = is_load(access.statement);
  const IRExpr* load = loads ? access.statement->Ist.WrTmp.data : nullptr;
  IRExpr* address = loads ? load->Iex.Load.addr : access.statement->Ist.Store.addr;
  IRExpr* bytes = bytes_of(block, loads ? load : access.statement->Ist.Store.data);
  ir::call(block, name, reinterpret_cast<void*>(told),
           mkIRExprVec_3(address, bytes, ir::constant(has_frame(access.instruction))));
}

} // namespace

void tell_of_change(const Instrumentation& with, IRSB* block, const IRCAS& cas,
                    void (*changed)(GuestAddr address, u64 bytes, u64 before, u64 after)) {
  IRExpr* before = widened(block, cas.expdLo);
  IRExpr* found = widened(block, IRExpr_RdTmp(cas.oldLo));
  publish_clock(with, block);
  IRExpr** arguments =
      mkIRExprVec_4(cas.addr, bytes_of(block, cas.dataLo), before, widened(block, cas.dataLo));
  ir::call(block, "changed", reinterpret_cast<void*>(changed), arguments,
           ir::assign(block, Ity_I1, IRExpr_Binop(Iop_CmpEQ64, found, before)));
}

u64 without_lines() { return has_called("libstdc++.so*") ? instructions_without_lines->size() : 0; }

IRSB* instrument(const Instrumentation& with, const IRSB* block, IRSB* traced) {
  const Vector<Told> told = told_of(block);
  if (told.empty())
    return traced;
  IRSB* completed = deepCopyIRSBExceptStmts(traced);
  std::size_t next = 0;
  for (Int i = 0; i < traced->stmts_used; i++) {
    IRStmt* statement = traced->stmts[i];
    addStmtToIRSB(completed, statement);
    if (next == told.size() || statement != told[next].statement)
      continue;
    const Told& access = told[next++];
    if (statement->tag != Ist_CAS) {
      const Source owner = owner_of(block, access.at, access.instruction);
      publish_clock(with, completed);
      if (!is_load(statement))
        tell_of_access(completed, access, "stored",
                       owner == Source::barriers ? atomic_waits::barrier_stored
                                                 : atomic_waits::stored);
      else if (owner == Source::futures)
        tell_of_access(completed, access, "future_loaded", atomic_waits::future_loaded);
      else if (owner == Source::latches)
        tell_of_access(completed, access, "latch_loaded", atomic_waits::latch_loaded);
      else
        tell_of_access(completed, access, "loaded", atomic_waits::loaded);
      continue;
    }
    const Changed changed = changed_by(block, access.at, access.instruction);
    const IRCAS& cas = *statement->Ist.CAS.details;
    if (access.source == Source::several_lines)
      tell_of_change(with, completed, cas, atomic_waits::count_or_value_changed);
    else if (access.source == Source::waits)
      tell_of_change(with, completed, cas, atomic_waits::waiters_changed);
    if (access.source == Source::atomics || changed != atomic_waits::changed)
      tell_of_change(with, completed, cas, changed);
  }
  return completed;
}

} // namespace atomic_code
