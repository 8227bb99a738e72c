#include "trace/stack_pointer_origin.hpp"

namespace {

using Origin = StackPointerOrigin;

Origin origin_of(const TranslatedBlock& block, const IRExpr* value, int& budget) {
  if (budget-- <= 0)
    return Origin::elsewhere;
  switch (value->tag) {
  case Iex_Get:
    if (value->Iex.Get.offset == block.layout->offset_SP)
      return Origin::stack_pointer;
    return value->Iex.Get.offset == block.layout->offset_FP ? Origin::frame_pointer
                                                            : Origin::elsewhere;
  case Iex_RdTmp:
    if (value->Iex.RdTmp.tmp == block.latest_stack_pointer)
      return Origin::stack_pointer;
    for (Int i = block.at; i-- > 0;) {
      const IRStmt* earlier = block.in->stmts[i];
      if (earlier->tag == Ist_WrTmp && earlier->Ist.WrTmp.tmp == value->Iex.RdTmp.tmp)
        return origin_of(block, earlier->Ist.WrTmp.data, budget);
    }
    return Origin::elsewhere;
  case Iex_Unop: return origin_of(block, value->Iex.Unop.arg, budget);
  case Iex_Binop:
    return std::min(origin_of(block, value->Iex.Binop.arg1, budget),
                    origin_of(block, value->Iex.Binop.arg2, budget));
  case Iex_ITE:
    return std::min(origin_of(block, value->Iex.ITE.iftrue, budget),
                    origin_of(block, value->Iex.ITE.iffalse, budget));
  default: return Origin::elsewhere;
  }
}

} // namespace

StackPointerOrigin stack_pointer_origin(const TranslatedBlock& block, const IRExpr* value) {
  int budget = 500;
  return origin_of(block, value, budget);
}
