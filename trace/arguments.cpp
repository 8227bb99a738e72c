#include "trace/arguments.hpp"

#include "trace/call_events.hpp"
#include "trace/ir.hpp"

extern "C" {
#include "libvex_guest_amd64.h"
}

ArgumentTable* arguments = nullptr;

namespace {

constexpr std::size_t kRegisters[] = {
    offsetof(VexGuestAMD64State, guest_RDI), offsetof(VexGuestAMD64State, guest_RSI),
    offsetof(VexGuestAMD64State, guest_RDX), offsetof(VexGuestAMD64State, guest_RCX),
    offsetof(VexGuestAMD64State, guest_R8),  offsetof(VexGuestAMD64State, guest_R9)};

// Extends the argument to 64 bits: the rest of the register of a narrow integer is undefined.
IRExpr* value_of(IRSB* block, const NamedArgument& argument) {
  const auto offset = static_cast<Int>(kRegisters[argument.number]);
  const auto widened = [&](IRType type, IROp of_signed, IROp of_unsigned) {
    IRExpr* const narrow = ir::assign(block, type, IRExpr_Get(offset, type));
    return ir::assign(block, Ity_I64,
                      IRExpr_Unop(argument.is_signed ? of_signed : of_unsigned, narrow));
  };
  switch (argument.bytes) {
  case 1: return widened(Ity_I8, Iop_8Sto64, Iop_8Uto64);
  case 2: return widened(Ity_I16, Iop_16Sto64, Iop_16Uto64);
  case 4: return widened(Ity_I32, Iop_32Sto64, Iop_32Uto64);
  default: return ir::assign(block, Ity_I64, IRExpr_Get(offset, Ity_I64));
  }
}

} // namespace

unsigned ArgumentTable::place(RoutineId routine, const char* name) {
  while (names_.size() <= index(routine))
    names_.push_back({});
  unsigned at = 0;
  for (const char*& known : names_[index(routine)].of) {
    if (known == nullptr)
      known = name;
    if (VG_(strcmp)(known, name) == 0)
      return at;
    at++;
  }
  return KeptArguments::kMost;
}

void ArgumentTable::add(IRSB* block, const RunningArguments& running, GuestAddr address) {
  const RoutineId routine = routines->at_entry(address);
  if (routine == RoutineId::none || routine == RoutineId::stub)
    return;
  const Vector<NamedArgument> taken = routines->arguments_at(address);
  const NamedArgument* of[KeptArguments::kMost]{};
  u32 has = 0;
  for (const NamedArgument& argument : taken)
    if (const unsigned at = place(routine, argument.name); at != KeptArguments::kMost) {
      of[at] = &argument;
      has |= 1u << at;
    }
  if (has == 0)
    return;
  IRExpr* const activation = ir::assign(
      block, Ity_I64,
      IRExpr_Load(Iend_LE, Ity_I64, ir::constant(reinterpret_cast<u64>(running.activation))));
  IRExpr* const kept = ir::sum(block, activation, running.kept);
  IRExpr* const which = ir::assign(block, Ity_I32, IRExpr_Load(Iend_LE, Ity_I32, kept));
  IRExpr* const lacks =
      ir::assign(block, Ity_I1, IRExpr_Binop(Iop_CmpEQ32, which, IRExpr_Const(IRConst_U32(0))));
  for (unsigned at = 0; at < KeptArguments::kMost; at++)
    if (of[at] != nullptr)
      addStmtToIRSB(block,
                    IRStmt_StoreG(Iend_LE,
                                  ir::sum(block, activation, running.values + at * sizeof(u64)),
                                  value_of(block, *of[at]), lacks));
  const KeptArguments::Which all = KeptArguments::Which::of(routine, has);
  addStmtToIRSB(block, IRStmt_StoreG(Iend_LE, kept, IRExpr_Const(IRConst_U32(all.word)), lacks));
}
