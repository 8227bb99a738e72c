#include "trace/loops/decoder.hpp"

#include "base/valgrind.hpp"

#include <utility>

extern "C" {
#include "libvex.h"
extern VexControl vex_control; // priv/main_globals.h: what LibVEX_Init was given
}

namespace {

DecodedBlock* decoded;

Bool never_chase(void*, Addr) { return False; }
UInt no_self_check(void*, VexRegisterUpdates*, const VexGuestExtents*) { return 0; }
IRSB* as_it_is(IRSB* block) { return block; }

// How far the bytes behind `address` can be read, at most the length of what VEX may look at.
bool is_code(GuestAddr address) {
  constexpr std::size_t kLongestInstruction = 15;
  return VG_(am_is_valid_for_client)(address, kLongestInstruction, VKI_PROT_READ);
}

const IRSB* lift(GuestAddr address) {
  static VexTranslateArgs arguments;
  static VexGuestExtents extents;
  if (arguments.chase_into_ok == nullptr) {
    VexArch arch;
    VG_(machine_get_VexArchInfo)(&arch, &arguments.archinfo_guest);
    arguments.arch_guest = arguments.arch_host = arch;
    arguments.archinfo_host = arguments.archinfo_guest;
    LibVEX_default_VexAbiInfo(&arguments.abiinfo_both);
    arguments.abiinfo_both.guest_stack_redzone_size = 128;
    arguments.abiinfo_both.guest_amd64_assume_fs_is_const = True;
    arguments.abiinfo_both.guest_amd64_assume_gs_is_const = True;
    arguments.chase_into_ok = never_chase;
    arguments.needs_self_check = no_self_check;
    arguments.finaltidy = as_it_is;
    arguments.guest_extents = &extents;
    // No code is made that could go there.
    arguments.disp_cp_chain_me_to_slowEP = arguments.disp_cp_chain_me_to_fastEP =
        arguments.disp_cp_xindir = arguments.disp_cp_xassisted = &extents;
  }
  arguments.guest_bytes = reinterpret_cast<const UChar*>(address);
  arguments.guest_bytes_addr = address;
  VexTranslateResult result;
  VexRegisterUpdates unused;
  // Nobody executes the code, and optimising it takes three quarters of the time.
  const Int level = std::exchange(vex_control.iropt_level, 0);
  const IRSB* const block = LibVEX_FrontEnd(&arguments, &result, &unused);
  vex_control.iropt_level = level;
  return block;
}

// Rounds of a `rep`-prefixed instruction are no loop.
void add_target(GuestAddr target) {
  if (target != decoded->instructions.back().address)
    decoded->targets.push_back(target);
}

bool stores(const IRStmt* statement) {
  switch (statement->tag) {
  case Ist_Store:
  case Ist_StoreG:
  case Ist_CAS:
  case Ist_LLSC: return !decoded->instructions.empty();
  case Ist_Dirty: {
    const IREffect effect = statement->Ist.Dirty.details->mFx;
    return !decoded->instructions.empty() && (effect == Ifx_Write || effect == Ifx_Modify);
  }
  default: return false;
  }
}

void add_end(const IRSB* block) {
  const IRExpr* const target = block->next;
  const bool is_known = target->tag == Iex_Const;
  switch (block->jumpkind) {
  case Ijk_Call:
    if (is_known && target->Iex.Const.con->Ico.U64 == decoded->next) // how code finds itself
      add_target(decoded->next);
    else
      decoded->end = BlockEnd::call;
    return;
  case Ijk_Ret:
  case Ijk_NoDecode:
  case Ijk_SigILL:
  case Ijk_SigTRAP: return;
  default:
    if (is_known)
      add_target(target->Iex.Const.con->Ico.U64);
    else
      decoded->end = BlockEnd::computed_jump;
  }
}

} // namespace

const DecodedBlock& decode_block(GuestAddr address) {
  if (decoded == nullptr)
    decoded = create<DecodedBlock>("trace.loops.decoded");
  decoded->instructions.clear();
  decoded->targets.clear();
  decoded->end = BlockEnd::jump;
  if (!is_code(address))
    return *decoded;
  const IRSB* const block = lift(address);
  if (block == nullptr)
    return *decoded;
  for (Int i = 0; i < block->stmts_used; i++) {
    const IRStmt* const statement = block->stmts[i];
    if (statement->tag == Ist_IMark) {
      if (!decoded->instructions.empty() && statement->Ist.IMark.addr == address)
        return *decoded; // VEX has unrolled a loop: the exits so far are those of a round
      decoded->instructions.push_back({statement->Ist.IMark.addr, false});
      decoded->next = statement->Ist.IMark.addr + statement->Ist.IMark.len;
    } else if (stores(statement)) {
      decoded->instructions.back().stores = true;
    } else if (statement->tag == Ist_Exit && statement->Ist.Exit.jk == Ijk_Boring) {
      add_target(statement->Ist.Exit.dst->Ico.U64);
    }
  }
  if (!decoded->instructions.empty())
    add_end(block);
  return *decoded;
}
