#include "trace/loops/decoder.hpp"

#include "base/valgrind.hpp"

#include <utility>

extern "C" {
#include "libvex.h"
#include "libvex_guest_amd64.h"

// VEX's interface for decoding blocks instruction by instruction, and the end of what it has
// allocated since it began to translate a block: from priv/guest_amd64_defs.h and priv/main_util.h
// of Valgrind 3.16 and later, which are not installed.
struct DisResult {
  UInt length;
  enum { kStopHere = 0x10, kContinue } what_next;
  enum { kHintNone = 0x20, kHintVerbose } hint;
  IRJumpKind jump_kind; // if it stops there
};
DisResult disInstr_AMD64(IRSB* block, const UChar* code, Long offset, Addr address, VexArch arch,
                         const VexArchInfo* arch_info, const VexAbiInfo* abi, VexEndness endness,
                         Bool sigill_diagnostics);
extern HChar* private_LibVEX_alloc_curr;
}

namespace {

DecodedBlock* decoded;

// Whether as many bytes can be read at `address` as VEX may look at.
bool is_code(GuestAddr address) {
  constexpr std::size_t kLongestInstruction = 15;
  return VG_(am_is_valid_for_client)(address, kLongestInstruction, VKI_PROT_READ);
}

// Frees what VEX allocates while this exists. VEX may have a block that is being translated in the
// same memory.
class Workspace {
public:
  Workspace() : begin_(private_LibVEX_alloc_curr) {}
  ~Workspace() { private_LibVEX_alloc_curr = begin_; }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

private:
  HChar* begin_;
};

// One decoded instruction, not optimised: only where control goes matters.
struct Lifted {
  const IRSB* statements;
  DisResult result;
};
Lifted lift(GuestAddr address) {
  static VexArch arch = VexArch_INVALID;
  static VexArchInfo arch_info;
  static VexAbiInfo abi;
  if (arch == VexArch_INVALID) {
    VG_(machine_get_VexArchInfo)(&arch, &arch_info);
    LibVEX_default_VexAbiInfo(&abi);
    abi.guest_stack_redzone_size = 128;
    abi.guest_amd64_assume_fs_is_const = True;
    abi.guest_amd64_assume_gs_is_const = True;
  }
  IRSB* const block = emptyIRSB();
  const auto* code = reinterpret_cast<const UChar*>(address);
  const DisResult result =
      disInstr_AMD64(block, code, 0, address, arch, &arch_info, &abi, VexEndnessLE, False);
  return {block, result};
}

// Iterations of a `rep`-prefixed instruction are not a loop.
void add_target(GuestAddr target) {
  if (target != decoded->instructions.back().address)
    decoded->targets.push_back(target);
}

bool stores(const IRStmt* statement) {
  switch (statement->tag) {
  case Ist_Store:
  case Ist_StoreG:
  case Ist_CAS:
  case Ist_LLSC: return true;
  case Ist_Dirty: {
    const IREffect effect = statement->Ist.Dirty.details->mFx;
    return effect == Ifx_Write || effect == Ifx_Modify;
  }
  default: return false;
  }
}

// Adds the target of the block's last instruction, besides its side exits: the value that VEX
// finally assigns to the instruction pointer.
void add_end(const Lifted& last) {
  const IRStmt* const set = last.statements->stmts[last.statements->stmts_used - 1];
  const IRExpr* const target = set->Ist.Put.data;
  const bool is_known = target->tag == Iex_Const;
  switch (last.result.jump_kind) {
  case Ijk_Call:
    if (is_known &&
        target->Iex.Const.con->Ico.U64 == decoded->next) // position-dependent code reads it so
      add_target(decoded->next);
    else {
      decoded->end = BlockEnd::call;
      decoded->callee = is_known ? target->Iex.Const.con->Ico.U64 : 0;
    }
    decoded->instructions.back().stores = false; // only the return address
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

// Returns whether the block continues behind the instruction.
bool add_instruction(GuestAddr address) {
  const Workspace workspace;
  const Lifted lifted = lift(address);
  decoded->instructions.push_back({address, static_cast<u8>(lifted.result.length), false});
  decoded->next = address + lifted.result.length;
  bool may_go_elsewhere = false;
  for (Int i = 0; i < lifted.statements->stmts_used; i++) {
    const IRStmt* const statement = lifted.statements->stmts[i];
    if (stores(statement))
      decoded->instructions.back().stores = true;
    if (statement->tag == Ist_Exit && statement->Ist.Exit.jk == Ijk_Boring) {
      add_target(statement->Ist.Exit.dst->Ico.U64);
      may_go_elsewhere = true;
    }
  }
  if (lifted.result.what_next == DisResult::kStopHere)
    add_end(lifted);
  else if (may_go_elsewhere)
    add_target(decoded->next);
  return lifted.result.what_next == DisResult::kContinue && !may_go_elsewhere;
}

} // namespace

const DecodedBlock& decode_block(GuestAddr address) {
  if (decoded == nullptr)
    decoded = create<DecodedBlock>("trace.loops.decoded");
  decoded->instructions.clear();
  decoded->targets.clear();
  decoded->end = BlockEnd::jump;
  decoded->callee = 0;
  decoded->next = address;
  while (is_code(decoded->next))
    if (!add_instruction(decoded->next))
      break;
  return *decoded;
}
