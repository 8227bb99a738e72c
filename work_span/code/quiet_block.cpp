#include "work_span/code/quiet_block.hpp"

#include "base/lazy.hpp"
#include "base/pattern.hpp"
#include "base/vector.hpp"
#include "trace/call_events.hpp"
#include "trace/ir.hpp"

extern "C" {
#include "libvex_guest_amd64.h"
}

namespace {

// The origin of a value within a block.
//
//   loaded    it depends on memory outside of the frame
//   computed  and is not a plain copy of that
//   in_frame  it is %rbp + offset
struct Origin {
  bool loaded : 1 = false;
  bool computed : 1 = false;
  bool in_frame : 1 = false;
  Int offset = 0;
};

// Whether the routine is one that compilers call to load a std::atomic if they do not inline.
bool only_loads(GuestAddr routine) {
  const RoutineId id = routines->at_entry(routine);
  return id != RoutineId::none && id != RoutineId::stub &&
         matches((*routines)[id].name,
                 {"std::operator&(std::memory_order, *", "std::*is_constant_evaluated()",
                  "std::atomic*::load(*", "std::__atomic_base<*>::load(*",
                  "std::atomic<*>::operator*() const*", "std::__atomic_base<*>::operator*() const*",
                  "std::atomic_flag::test(*"});
}

class QuietBlockReader {
public:
  explicit QuietBlockReader(const IRSB* block)
      : block_(block), origins_(room_for(static_cast<std::size_t>(block->tyenv->types_used))) {}

  // Returns false if the block changes anything else.
  bool run(QuietBlock& found) {
    const Int first = ir::first_instruction(block_);
    if (first == block_->stmts_used)
      return false;
    quiet_.begin = block_->stmts[first]->Ist.IMark.addr;
    quiet_.calls = block_->jumpkind == Ijk_Call;
    quiet_.pauses = block_->jumpkind == Ijk_Yield;
    Int at = first;
    do {
      if (!statement(block_->stmts[at++]))
        return false;
    } while (at < block_->stmts_used && !ir::is_instruction_at(block_->stmts[at], quiet_.begin));
    if (block_->next->tag != Iex_Const)
      return false;
    const bool has_more_rounds = at < block_->stmts_used;
    const GuestAddr next = has_more_rounds ? quiet_.begin : block_->next->Iex.Const.con->Ico.U64;
    if (quiet_.calls && !only_loads(next))
      return false;
    if (!goes_to(quiet_.calls ? after_ : next))
      return false;
    found = quiet_;
    return true;
  }

private:
  // Not cleared: everything is written before it is read.
  static Origin* room_for(std::size_t temporaries) {
    static Lazy<Vector<Origin>> room{"cilkshadow.spins"};
    if (room->size() < temporaries)
      room->resize(2 * temporaries);
    return room->begin();
  }

  bool goes_to(GuestAddr next) {
    if (quiet_.nexts == QuietBlock::kMostNext)
      return false;
    quiet_.next[quiet_.nexts++] = next;
    return true;
  }

  void reads(Int begin, Int size) {
    for (Int byte = begin; byte < begin + size; byte++)
      if (!quiet_.written.has(byte))
        quiet_.read.add(byte);
  }
  void writes(Int begin, Int size) {
    for (Int byte = begin; byte < begin + size; byte++)
      quiet_.written.add(byte);
  }

  Int size_of(const IRExpr* value) const {
    return sizeofIRType(typeOfIRExpr(block_->tyenv, value));
  }

  const Origin* of(const IRExpr* atom) const {
    static constexpr Origin kConstant{};
    return atom->tag == Iex_RdTmp ? &origins_[atom->Iex.RdTmp.tmp] : &kConstant;
  }

  bool is_in_frame(const IRExpr* address, Int size) const {
    return of(address)->in_frame && ByteSet::is_of_frame(of(address)->offset, size);
  }

  // `result` is computed from the operand.
  void uses(Origin& result, const IRExpr* operand) const {
    result.loaded |= of(operand)->loaded;
    result.computed = true;
  }

  void load(Origin& result, const IRExpr* address, Int size) {
    if (is_in_frame(address, size))
      reads(ByteSet::in_frame(of(address)->offset), size);
    else
      result.loaded = true;
  }

  // Returns false if it is unknown what the value is computed from.
  bool expression(Origin& result, const IRExpr* value) {
    switch (value->tag) {
    case Iex_Const: return true;
    case Iex_RdTmp: result = *of(value); return true;
    case Iex_Get: {
      const Int offset = value->Iex.Get.offset;
      const Int size = size_of(value);
      if (!ByteSet::is_of_state(offset, size))
        return false;
      reads(offset, size);
      result.in_frame = offset == offsetof(VexGuestAMD64State, guest_RBP) && size == sizeof(u64);
      return true;
    }
    case Iex_Load: load(result, value->Iex.Load.addr, size_of(value)); return true;
    case Iex_Unop:
      result.loaded = of(value->Iex.Unop.arg)->loaded;
      result.computed = of(value->Iex.Unop.arg)->computed; // a mere widening or narrowing
      return true;
    case Iex_Binop: return binary(result, value);
    case Iex_ITE:
      uses(result, value->Iex.ITE.cond);
      uses(result, value->Iex.ITE.iftrue);
      uses(result, value->Iex.ITE.iffalse);
      return true;
    case Iex_CCall:
      for (IRExpr** argument = value->Iex.CCall.args; *argument != nullptr; argument++)
        uses(result, *argument);
      return true;
    default: return false;
    }
  }

  bool binary(Origin& result, const IRExpr* value) {
    const auto& [op, one, other] = value->Iex.Binop;
    uses(result, one);
    uses(result, other);
    if (op == Iop_Add64 && other->tag == Iex_Const && of(one)->in_frame) {
      const auto offset = static_cast<long>(other->Iex.Const.con->Ico.U64) + of(one)->offset;
      result.in_frame = -ByteSet::kOfFrame <= offset && offset < 0;
      result.offset = static_cast<Int>(offset);
    }
    return true;
  }

  bool statement(const IRStmt* statement) {
    switch (statement->tag) {
    case Ist_IMark:
      quiet_.instructions++;
      after_ = statement->Ist.IMark.addr + statement->Ist.IMark.len;
      return true;
    case Ist_NoOp:
    case Ist_AbiHint:
    case Ist_MBE: return true;
    case Ist_WrTmp:
      return expression(origins_[statement->Ist.WrTmp.tmp] = {}, statement->Ist.WrTmp.data);
    case Ist_Put: {
      const Int size = size_of(statement->Ist.Put.data);
      const Int offset = statement->Ist.Put.offset;
      if (!ByteSet::is_of_state(offset, size))
        return false;
      const bool of_call = quiet_.calls && offset == offsetof(VexGuestAMD64State, guest_RSP);
      if (offset != offsetof(VexGuestAMD64State, guest_RIP) && !of_call)
        writes(offset, size);
      return true;
    }
    // Allowed only to the frame, relative to %rbp, and only for values that the loop cannot count
    // with.
    case Ist_Store: {
      const IRExpr* data = statement->Ist.Store.data;
      const IRExpr* address = statement->Ist.Store.addr;
      if (quiet_.calls && data->tag == Iex_Const && data->Iex.Const.con->Ico.U64 == after_)
        return true;
      if ((of(data)->loaded && of(data)->computed) || !is_in_frame(address, size_of(data)))
        return false;
      writes(ByteSet::in_frame(of(address)->offset), size_of(data));
      return true;
    }
    // If the value stored does not depend on the old one, memory is the same after the next round.
    case Ist_CAS: {
      const IRCAS& cas = *statement->Ist.CAS.details;
      if (cas.dataHi != nullptr || of(cas.dataLo)->loaded)
        return false;
      load(origins_[cas.oldLo] = {}, cas.addr, size_of(cas.dataLo));
      return !is_in_frame(cas.addr, size_of(cas.dataLo));
    }
    case Ist_Exit:
      return statement->Ist.Exit.jk == Ijk_Boring && goes_to(statement->Ist.Exit.dst->Ico.U64);
    default: return false;
    }
  }

  const IRSB* block_;
  Origin* origins_; // by temporary
  QuietBlock quiet_;
  GuestAddr after_ = 0; // address behind the latest instruction
};

} // namespace

bool find_quiet(const IRSB* block, QuietBlock& found) { return QuietBlockReader(block).run(found); }
