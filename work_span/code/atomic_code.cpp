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
#include "work_span/runtimes/routine_class_table.hpp"
#include "work_span/runtimes/work_counters.hpp"

namespace atomic_code {
namespace {

using namespace atomic_sources;

// Whether an instruction is in a routine of the standard library that has a frame: push %rbp; mov
// %rsp,%rbp.
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

// Other types are vectors.
bool is_word(IRType type) {
  return type == Ity_I8 || type == Ity_I16 || type == Ity_I32 || type == Ity_I64;
}

bool is_load(const IRStmt* statement) {
  return statement->tag == Ist_WrTmp && statement->Ist.WrTmp.data->tag == Iex_Load;
}

bool accesses_one_word(const IRSB* block, const IRStmt* statement) {
  if (statement->tag == Ist_CAS)
    return statement->Ist.CAS.details->dataHi == nullptr;
  if (statement->tag == Ist_Store)
    return is_word(typeOfIRExpr(block->tyenv, statement->Ist.Store.data));
  return is_load(statement) && is_word(statement->Ist.WrTmp.data->Iex.Load.ty);
}

bool is_of_interest(const IRStmt* statement, Source source, bool takes) {
  return source == Source::atomics || takes ||
         (statement->tag == Ist_CAS &&
          (source == Source::waits || source == Source::several_lines));
}

Lazy<AddressMap<bool>> instructions_without_lines{"cilkshadow.atomics"}; // by address

// Notes an atomic instruction that threads may wait for, unless it is in a library of the system or
// counts references.
void note_if_without_line(GuestAddr instruction) {
  const Routine* routine = routine_of(instruction);
  if (routines->line_of(instruction).file != 0 || !routine_classes->is_of_program(instruction) ||
      matches(routines->objects()[routine->object], {"/usr/lib*", "/lib*"}) ||
      matches(routine->name, {"std::_Sp_counted_base<*", "__gnu_cxx::*"}))
    return;
  instructions_without_lines->at(instruction) = true;
}

// What defines a temporary; null if nothing in the block does.
const IRExpr* value_of(const IRSB* block, const IRExpr* atom) {
  for (Int i = 0; atom->tag == Iex_RdTmp && i < block->stmts_used; i++)
    if (const IRStmt* statement = block->stmts[i];
        statement->tag == Ist_WrTmp && statement->Ist.WrTmp.tmp == atom->Iex.RdTmp.tmp)
      return statement->Ist.WrTmp.data;
  return nullptr;
}

// What a value is, but for its width.
const IRExpr* without_conversions(const IRSB* block, const IRExpr* value) {
  while (value != nullptr && (value->tag == Iex_RdTmp || value->tag == Iex_Unop))
    value = value->tag == Iex_Unop ? value->Iex.Unop.arg : value_of(block, value);
  return value;
}

bool is_sum(IROp operation) {
  return (Iop_Add8 <= operation && operation <= Iop_Add64) ||
         (Iop_Sub8 <= operation && operation <= Iop_Sub64);
}

// A general one.
bool is_register(const decltype(IRStmt::Ist.Put)& put) {
  return static_cast<std::size_t>(put.offset) <= offsetof(VexGuestAMD64State, guest_R15);
}

// Whether an instruction writes a constant or a register, or a part of one, whatever it reads. A
// register's value may be one that the block has loaded before.
bool exchanges(const IRSB* block, const IRCAS& cas) {
  const IRExpr* expected = value_of(block, cas.expdLo);
  if (expected == nullptr || expected->tag != Iex_Load ||
      !eqIRAtom(expected->Iex.Load.addr, cas.addr)) // it compares
    return false;
  const IRExpr* written = without_conversions(block, cas.dataLo);
  return written != nullptr && written != expected &&
         (written->tag == Iex_Get || written->tag == Iex_Const || written->tag == Iex_Load);
}

// Whether a statement passes a value on, but for the condition codes.
bool keeps(const IRSB* block, const IRStmt* statement, const IRExpr* value) {
  const auto is_value = [&](const IRExpr* of) { return without_conversions(block, of) == value; };
  if (statement->tag == Ist_Put)
    return is_register(statement->Ist.Put) && is_value(statement->Ist.Put.data);
  if (statement->tag == Ist_Store)
    return is_value(statement->Ist.Store.data);
  const IRExpr* made = statement->tag == Ist_WrTmp ? statement->Ist.WrTmp.data : nullptr;
  return made != nullptr && made->tag == Iex_Binop && is_sum(made->Iex.Binop.op) &&
         (is_value(made->Iex.Binop.arg1) || is_value(made->Iex.Binop.arg2));
}

// Whether an instruction of the program adds, and the value that it found is used.
bool takes_value(const IRSB* block, Int at, Source source, GuestAddr instruction) {
  const IRCAS& cas = *block->stmts[at]->Ist.CAS.details;
  const IRExpr* found = value_of(block, cas.expdLo);
  const IRExpr* sum = without_conversions(block, cas.dataLo);
  if ((source != Source::atomics && source != Source::program) || found == nullptr ||
      sum == nullptr || sum->tag != Iex_Binop || !is_sum(sum->Iex.Binop.op) ||
      (without_conversions(block, sum->Iex.Binop.arg1) != found &&
       without_conversions(block, sum->Iex.Binop.arg2) != found) ||
      !routine_classes->is_of_program(instruction))
    return false;
  for (Int i = at + 1; i < block->stmts_used; i++)
    if (keeps(block, block->stmts[i], found))
      return true;
  return false;
}

struct AtomicAccess {
  const IRStmt* statement;
  Int at; // index of its statement
  Source source;
  GuestAddr instruction;
  bool exchanges;
  bool takes;
};

Vector<AtomicAccess> accesses_of(const IRSB* block) {
  Vector<AtomicAccess> accesses("cilkshadow.atomics");
  GuestAddr instruction = 0;
  for (Int i = 0; i < block->stmts_used; i++) {
    const IRStmt* statement = block->stmts[i];
    if (statement->tag == Ist_IMark)
      instruction = statement->Ist.IMark.addr;
    if (!accesses_one_word(block, statement))
      continue;
    if (statement->tag == Ist_CAS)
      note_if_without_line(instruction);
    const bool is_change = statement->tag == Ist_CAS;
    const Source source = source_of(instruction);
    const bool takes = is_change && takes_value(block, i, source, instruction);
    if (is_of_interest(statement, source, takes))
      accesses.push_back({statement, i, source, instruction,
                          is_change && exchanges(block, *statement->Ist.CAS.details), takes});
  }
  return accesses;
}

bool is_object(Source source) { return source > Source::waits; }

// Returns the source of the next instruction before or after (`step`) a place in the block that
// belongs to an object; Source::program if other code, or another atomic, comes first.
Source object_next_to(const IRSB* block, Int at, Int step) {
  for (Int i = at + step; 0 <= i && i < block->stmts_used; i += step) {
    const IRStmt* statement = block->stmts[i];
    if (statement->tag == Ist_CAS)
      return Source::program;
    if (statement->tag != Ist_IMark && statement->tag != Ist_Exit)
      continue;
    const bool is_exit = statement->tag == Ist_Exit;
    const Source source = source_of(is_exit ? GuestAddr{statement->Ist.Exit.dst->Ico.U64}
                                            : GuestAddr{statement->Ist.IMark.addr});
    if (is_object(source) || (source == Source::program && !is_exit))
      return source;
  }
  const bool falls_out = step > 0 && block->next->tag == Iex_Const;
  return falls_out ? source_of(block->next->Iex.Const.con->Ico.U64) : Source::program;
}

// Returns the kind of object that a std::atomic belongs to, by the code next to it, or else by its
// routine; Source::program if there is none.
Source object_of(const IRSB* block, const AtomicAccess& access) {
  for (const Int step : {1, -1})
    if (const Source object = object_next_to(block, access.at, step); is_object(object))
      return object;
  const Routine* routine = routine_of(access.instruction);
  const Source source = routine == nullptr ? Source::program : source_of_file(routine->file);
  return is_object(source) ? source : Source::program;
}

bool is_in_completing_barrier(GuestAddr instruction) {
  const Routine* routine = routine_of(instruction);
  return routine != nullptr && matches(routine->name, {"std::__tree_barrier<*"}) &&
         !matches(routine->name, {"*<std::__empty_completion>*"});
}

using Changed = void (*)(GuestAddr address, u64 bytes, u64 before, u64 after);
using Accessed = void (*)(GuestAddr address, u64 bytes, bool has_frame);

Changed on_change(Source object, GuestAddr instruction) {
  switch (object) {
  case Source::semaphores: return cxx_objects::semaphore_changed;
  case Source::futures: return cxx_objects::future_changed;
  case Source::barriers:
    return is_in_completing_barrier(instruction) ? cxx_objects::completing_barrier_changed
                                                 : cxx_objects::barrier_changed;
  default: return atomic_waits::changed;
  }
}

Accessed on_load(Source object) {
  switch (object) {
  case Source::futures: return atomic_waits::future_loaded;
  case Source::latches: return atomic_waits::latch_loaded;
  default: return atomic_waits::loaded;
  }
}

Accessed on_store(Source object) {
  return object == Source::barriers ? atomic_waits::barrier_stored : atomic_waits::stored;
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

void add_call_on_access(const Instrumentation& with, IRSB* block, const AtomicAccess& access,
                        Source object) {
  const bool loads = is_load(access.statement);
  const IRExpr* load = loads ? access.statement->Ist.WrTmp.data : nullptr;
  IRExpr* address = loads ? load->Iex.Load.addr : access.statement->Ist.Store.addr;
  IRExpr* bytes = bytes_of(block, loads ? load : access.statement->Ist.Store.data);
  const Accessed accessed = loads ? on_load(object) : on_store(object);
  publish_clock(with, block);
  ir::call(block, loads ? "atomic_loaded" : "atomic_stored", reinterpret_cast<void*>(accessed),
           mkIRExprVec_3(address, bytes, ir::constant(has_frame(access.instruction))));
}

void add_calls_on_change(const Instrumentation& with, IRSB* block, const AtomicAccess& access,
                         Source object) {
  const IRCAS& cas = *access.statement->Ist.CAS.details;
  const Changed changed = on_change(object, access.instruction);
  if (access.source == Source::several_lines)
    add_call_on_change(with, block, cas, atomic_waits::count_or_value_changed);
  else if (access.source == Source::waits)
    add_call_on_change(with, block, cas, atomic_waits::waiters_changed);
  if (changed != atomic_waits::changed)
    add_call_on_change(with, block, cas, changed);
  else if (access.source == Source::atomics)
    add_call_on_change(with, block, cas, access.exchanges ? atomic_waits::exchanged : changed);
  if (access.takes)
    add_call_on_change(with, block, cas, work_counters::taken);
}

} // namespace

void add_call_on_change(const Instrumentation& with, IRSB* block, const IRCAS& cas,
                        void (*changed)(GuestAddr address, u64 bytes, u64 before, u64 after)) {
  IRExpr* before = widened(block, cas.expdLo);
  IRExpr* found = widened(block, IRExpr_RdTmp(cas.oldLo));
  publish_clock(with, block);
  IRExpr** arguments =
      mkIRExprVec_4(cas.addr, bytes_of(block, cas.dataLo), before, widened(block, cas.dataLo));
  ir::call(block, "atomic_changed", reinterpret_cast<void*>(changed), arguments,
           ir::assign(block, Ity_I1, IRExpr_Binop(Iop_CmpEQ64, found, before)));
}

u64 without_lines() { return has_called("libstdc++.so*") ? instructions_without_lines->size() : 0; }

IRSB* instrument(const Instrumentation& with, const IRSB* block, IRSB* traced) {
  const Vector<AtomicAccess> accesses = accesses_of(block);
  if (accesses.empty())
    return traced;
  IRSB* completed = deepCopyIRSBExceptStmts(traced);
  const AtomicAccess* next = accesses.begin();
  for (Int i = 0; i < traced->stmts_used; i++) {
    IRStmt* statement = traced->stmts[i];
    addStmtToIRSB(completed, statement);
    if (next == accesses.end() || statement != next->statement)
      continue;
    const AtomicAccess& access = *next++;
    const Source object = object_of(block, access);
    if (statement->tag == Ist_CAS)
      add_calls_on_change(with, completed, access, object);
    else
      add_call_on_access(with, completed, access, object);
  }
  return completed;
}

} // namespace atomic_code
