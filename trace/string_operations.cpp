#include "trace/string_operations.hpp"

#include "trace/ir.hpp"

#include <algorithm>
#include <cstddef>

extern "C" {
#include "libvex_guest_amd64.h"
}

namespace string_operations {

namespace {

// Iterations reported at once. An interruption reports them again.
constexpr u64 kMost = 4096;
constexpr std::size_t kLargestCell = 16; // bytes
constexpr u64 kBytesPerBlock = 128;
u64 reported = 0; // future iterations that have been reported

using Access = void(GuestAddr, std::size_t);

// `step`: the distance to the next element, which may be negative.
void begin(u64 count, GuestAddr to, GuestAddr from, i64 step, Access* read, Access* write) {
  const auto bytes = static_cast<std::size_t>(step < 0 ? -step : step);
  reported = std::min(count, kMost);
  const u64 apart = to < from ? from - to : to - from;
  if (read != nullptr && apart < reported * bytes + kLargestCell)
    reported = 1;
  const auto access = [&](Access* function, GuestAddr first) {
    function(step < 0 ? first - (reported - 1) * bytes : first, reported * bytes);
  };
  if (read != nullptr)
    access(read, from);
  access(write, to);
}

IRExpr* get(IRSB* block, Int offset) {
  return ir::assign(block, Ity_I64, IRExpr_Get(offset, Ity_I64));
}

} // namespace

std::optional<StringOperation> repeated_by(const IRSB* block, GuestAddr address) {
  if (block->jumpkind != Ijk_Boring || block->next->tag != Iex_Const ||
      block->next->Iex.Const.con->Ico.U64 != address)
    return std::nullopt;
  const auto* code = reinterpret_cast<const u8*>(address);
  bool repeats = false;
  unsigned word = 4;
  for (; *code == 0x66 || *code == 0xF3; code++)
    if (*code == 0x66)
      word = 2;
    else
      repeats = true;
  if (!repeats)
    return std::nullopt;
  if (*code >> 4 == 4) { // REX
    if ((*code & 8) != 0)
      word = 8;
    code++;
  }
  switch (*code) {
  case 0xA4: return StringOperation{1, true};
  case 0xA5: return StringOperation{word, true};
  case 0xAA: return StringOperation{1, false};
  case 0xAB: return StringOperation{word, false};
  default: return std::nullopt;
  }
}

IRExpr* counts(IRSB* block, StringOperation operation) {
  IRExpr* left = get(block, offsetof(VexGuestAMD64State, guest_RCX));
  IRExpr* since =
      ir::assign(block, Ity_I64,
                 IRExpr_Binop(Iop_And64, left, ir::constant(kBytesPerBlock / operation.bytes - 1)));
  IRExpr* is_multiple =
      ir::assign(block, Ity_I1, IRExpr_Binop(Iop_CmpEQ64, since, ir::constant(0)));
  return ir::assign(block, Ity_I64, IRExpr_Unop(Iop_1Uto64, is_multiple));
}

void report_accesses(IRSB* block, StringOperation operation, void* read, void* write) {
  IRExpr* left =
      ir::assign(block, Ity_I64,
                 IRExpr_Load(Iend_LE, Ity_I64, ir::constant(reinterpret_cast<u64>(&reported))));
  IRExpr* direction = get(block, offsetof(VexGuestAMD64State, guest_DFLAG)); // 1 or -1
  IRExpr* step =
      ir::assign(block, Ity_I64, IRExpr_Binop(Iop_Mul64, direction, ir::constant(operation.bytes)));
  IRExpr** arguments =
      mkIRExprVec_6(get(block, offsetof(VexGuestAMD64State, guest_RCX)),
                    get(block, offsetof(VexGuestAMD64State, guest_RDI)),
                    get(block, offsetof(VexGuestAMD64State, guest_RSI)), step,
                    ir::constant(operation.moves ? reinterpret_cast<u64>(read) : 0),
                    ir::constant(reinterpret_cast<u64>(write)));
  ir::call(block, "string_operations::begin", reinterpret_cast<void*>(begin), arguments,
           ir::assign(block, Ity_I1, IRExpr_Binop(Iop_CmpEQ64, left, ir::constant(0))));
  ir::count(block, &reported, ~u64{0});
}

void interrupted() { reported = 0; }

} // namespace string_operations
