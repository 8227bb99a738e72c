#include "trace/access_code.hpp"

#include "base/check.hpp"

#include <bit>

using ir::constant;

namespace {

// Finds the load of the return address in a block that ends with a return.
IRTemp find_return_address_load(const IRSB* block) {
  if (block->jumpkind != Ijk_Ret || block->next->tag != Iex_RdTmp)
    return IRTemp_INVALID;
  return block->next->Iex.RdTmp.tmp;
}

} // namespace

AccessCode::AccessCode(TranslatedBlock& block)
    : block_(block), return_address_(find_return_address_load(block.in)),
      string_(string_operations::repeated_by(block.in, block.address)) {
  if (!string_ && has_runs())
    runs_.emplace(block.in, block.layout->offset_SP, return_address_, block.with.find_markers);
}

IRExpr* AccessCode::blocks() const {
  return string_ ? string_operations::counts(block_.out, *string_) : constant(1);
}

void AccessCode::before(const IRStmt* statement) {
  switch (statement->tag) {
  case Ist_WrTmp: {
    const IRExpr* value = statement->Ist.WrTmp.data;
    if (value->tag == Iex_Load && statement->Ist.WrTmp.tmp != return_address_)
      plain_access(block_.with.read, value->Iex.Load.addr, block_.bytes_of(value));
    return;
  }
  case Ist_Store:
    return plain_access(block_.with.write, statement->Ist.Store.addr,
                        block_.bytes_of(statement->Ist.Store.data));
  case Ist_LoadG: {
    const IRLoadG* guarded = statement->Ist.LoadG.details;
    IRType result;
    IRType loaded;
    typeOfIRLoadGOp(guarded->cvt, &result, &loaded);
    return load(guarded->addr, sizeofIRType(loaded), guarded->guard);
  }
  case Ist_StoreG: {
    const IRStoreG* guarded = statement->Ist.StoreG.details;
    return store(guarded->addr, block_.bytes_of(guarded->data), guarded->guard);
  }
  case Ist_CAS: {
    const IRCAS* cas = statement->Ist.CAS.details;
    return load(cas->addr, block_.bytes_of(cas->dataLo) * (cas->dataHi != nullptr ? 2 : 1));
  }
  case Ist_LLSC: {
    const auto& linked = statement->Ist.LLSC;
    if (linked.storedata == nullptr)
      return load(linked.addr, sizeofIRType(typeOfIRTemp(block_.in->tyenv, linked.result)));
    return store(linked.addr, block_.bytes_of(linked.storedata));
  }
  case Ist_Dirty: {
    const IRDirty* dirty = statement->Ist.Dirty.details;
    if (dirty->mFx == Ifx_Read || dirty->mFx == Ifx_Modify)
      load(dirty->mAddr, dirty->mSize, dirty->guard);
    if (dirty->mFx == Ifx_Write || dirty->mFx == Ifx_Modify)
      store(dirty->mAddr, dirty->mSize, dirty->guard);
    return;
  }
  default: return;
  }
}

void AccessCode::after(const IRStmt* statement) {
  if (statement->tag == Ist_CAS)
    compared_and_swapped(statement->Ist.CAS.details);
  else if (statement->tag == Ist_Exit && string_ && has_runs())
    string_operations::report_accesses(block_.out, *string_, block_.with.read.of_any_size.function,
                                       block_.with.write.of_any_size.function);
}

// Reports the access, together with its neighbours or with the store that modifies the same memory,
// unless an earlier access of its run has reported it.
void AccessCode::plain_access(const AccessHelpers& helpers, IRExpr* address, Int bytes) {
  if (string_ && has_runs())
    return; // reported already
  if (!runs_)
    return access(helpers, address, bytes, nullptr);
  if (runs_->is_reported(block_.at))
    return;
  const AccessRuns::Run run = runs_->begin(block_.at);
  if (run.bytes == static_cast<unsigned>(bytes))
    return access(runs_->take_store(block_.at) ? block_.with.modify : helpers, address, bytes,
                  nullptr);
  if (run.begin != 0)
    address = ir::sum(block_.out, address, static_cast<u64>(run.begin));
  report(helpers.of_words[run.bytes / AccessRuns::kWord], mkIRExprVec_1(address));
}

// A compare-and-swap always reads. It writes only if the compared values were equal.
void AccessCode::compared_and_swapped(const IRCAS* cas) {
  const bool two = cas->dataHi != nullptr;
  IROp equal = Iop_CmpEQ64;
  switch (typeOfIRExpr(block_.in->tyenv, cas->dataLo)) {
  case Ity_I8: equal = Iop_CasCmpEQ8; break;
  case Ity_I16: equal = Iop_CasCmpEQ16; break;
  case Ity_I32: equal = Iop_CasCmpEQ32; break;
  case Ity_I64: equal = Iop_CasCmpEQ64; break;
  default: CHECK(!"operand size of a compare-and-swap");
  }
  const auto assign = [this](IRType type, IRExpr* value) { return block_.assign(type, value); };
  IRExpr* swapped = assign(Ity_I1, IRExpr_Binop(equal, IRExpr_RdTmp(cas->oldLo), cas->expdLo));
  if (two) {
    IRExpr* high = assign(Ity_I1, IRExpr_Binop(equal, IRExpr_RdTmp(cas->oldHi), cas->expdHi));
    IRExpr* low_64 = assign(Ity_I64, IRExpr_Unop(Iop_1Uto64, swapped));
    IRExpr* high_64 = assign(Ity_I64, IRExpr_Unop(Iop_1Uto64, high));
    IRExpr* both = assign(Ity_I64, IRExpr_Binop(Iop_And64, low_64, high_64));
    swapped = assign(Ity_I1, IRExpr_Binop(Iop_CmpNE64, both, constant(0)));
  }
  store(cas->addr, block_.bytes_of(cas->dataLo) * (two ? 2 : 1), swapped);
}

void AccessCode::load(IRExpr* address, Int bytes, IRExpr* guard) {
  access(block_.with.read, address, bytes, guard);
}

void AccessCode::store(IRExpr* address, Int bytes, IRExpr* guard) {
  access(block_.with.write, address, bytes, guard);
}

void AccessCode::access(const AccessHelpers& helpers, IRExpr* address, Int bytes, IRExpr* guard) {
  const auto size = static_cast<unsigned>(bytes);
  const auto which = static_cast<unsigned>(std::countr_zero(size));
  const bool has_its_own = std::has_single_bit(size) && which < AccessHelpers::kSizes;
  const AccessHelper& helper = has_its_own ? helpers.of_size[which] : helpers.of_any_size;
  if (block_.is_linkage() || helper.function == nullptr)
    return;
  report(helper, has_its_own ? mkIRExprVec_1(address) : mkIRExprVec_2(address, constant(size)),
         guard);
}

void AccessCode::report(const AccessHelper& helper, IRExpr** arguments, IRExpr* guard) {
  if (block_.with.accesses_reported != nullptr)
    ir::count(block_.out, block_.with.accesses_reported, 1);
  ir::call(block_.out, helper.name, helper.function, arguments, guard);
}
