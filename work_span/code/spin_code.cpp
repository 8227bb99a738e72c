#include "work_span/code/spin_code.hpp"

#include "base/lazy.hpp"
#include "base/pattern.hpp"
#include "base/vector.hpp"
#include "trace/call_events.hpp"
#include "trace/ir.hpp"
#include "work_span/order/spin_waits.hpp"
#include "work_span/runtimes/routine_classes.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>

extern "C" {
#include "libvex_guest_amd64.h"
}

namespace spin_code {
namespace {

// Bytes of the guest's state, and of the frame below what %rbp points to, as far as loops that wait
// have to do with them.
class Bytes {
public:
  static constexpr Int kOfState = 256;
  static constexpr Int kOfFrame = 512;

  static constexpr bool is_of_state(Int offset, Int size) {
    return 0 <= offset && offset + size <= kOfState;
  }
  static constexpr bool is_of_frame(Int offset, Int size) {
    return -kOfFrame <= offset && offset + size <= 0;
  }
  // In the frame: from its end, so that what follows the state's bytes ends there.
  static constexpr Int in_frame(Int offset) { return kOfState + kOfFrame + offset; }

  bool has(Int byte) const { return (words_[byte / 64] >> (byte % 64) & 1) != 0; }
  void add(Int byte) { words_[byte / 64] |= u64{1} << (byte % 64); }
  Bytes& operator|=(const Bytes& other) {
    for (std::size_t i = 0; i < kWords; i++)
      words_[i] |= other.words_[i];
    return *this;
  }
  Bytes without(const Bytes& other) const {
    Bytes rest;
    for (std::size_t i = 0; i < kWords; i++)
      rest.words_[i] = words_[i] & ~other.words_[i];
    return rest;
  }
  bool meets(const Bytes& other) const {
    for (std::size_t i = 0; i < kWords; i++)
      if ((words_[i] & other.words_[i]) != 0)
        return true;
    return false;
  }

private:
  static constexpr std::size_t kWords = (kOfState + kOfFrame) / 64;
  u64 words_[kWords] = {};
};

// A block that changes nothing but these bytes, up to its call if it ends in one.
struct Quiet {
  static constexpr unsigned kMostNext = 3;

  GuestAddr begin = 0;
  u32 instructions = 0;
  bool calls = false; // what changes nothing, either
  bool pauses = false;
  unsigned nexts = 0;
  GuestAddr next[kMostNext]; // where it goes: the blocks it may exit to, then what follows
  Bytes read;                // before it writes them
  Bytes written;
};

// What is known of a value within a block.
struct Origin {
  bool loaded : 1 = false;   // it depends on what memory beyond the frame has,
  bool computed : 1 = false; // and is no copy of that
  bool in_frame : 1 = false; // %rbp and `offset`
  Int offset = 0;
};

// What compilers that inline nothing call for a load of a std::atomic.
bool only_loads(GuestAddr routine) {
  const RoutineId id = routines->at_entry(routine);
  return id != RoutineId::none && id != RoutineId::stub &&
         matches((*routines)[id].name,
                 {"std::operator&(std::memory_order, *", "std::*is_constant_evaluated()",
                  "std::atomic*::load(*", "std::__atomic_base<*>::load(*",
                  "std::atomic<*>::operator*() const*", "std::__atomic_base<*>::operator*() const*",
                  "std::atomic_flag::test(*"});
}

bool is_instruction_at(GuestAddr address, const IRStmt* statement) {
  return statement->tag == Ist_IMark && statement->Ist.IMark.addr == address;
}

// Of a loop that VEX has unrolled, the first round.
class Reader {
public:
  explicit Reader(const IRSB* block)
      : block_(block), origins_(room_for(static_cast<std::size_t>(block->tyenv->types_used))) {}

  // False: it changes something else, too.
  bool run(Quiet& into) {
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
    } while (at < block_->stmts_used && !is_instruction_at(quiet_.begin, block_->stmts[at]));
    if (block_->next->tag != Iex_Const)
      return false;
    const bool has_more_rounds = at < block_->stmts_used;
    const GuestAddr next = has_more_rounds ? quiet_.begin : block_->next->Iex.Const.con->Ico.U64;
    if (quiet_.calls && !only_loads(next))
      return false;
    if (!goes_to(quiet_.calls ? after_ : next))
      return false;
    into = quiet_;
    return true;
  }

private:
  // What other blocks have left there is written before it is read.
  static Origin* room_for(std::size_t temporaries) {
    static Lazy<Vector<Origin>> room{"cilkshadow.spins"};
    if (room->size() < temporaries)
      room->resize(2 * temporaries);
    return room->begin();
  }

  bool goes_to(GuestAddr next) {
    if (quiet_.nexts == Quiet::kMostNext)
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
    return of(address)->in_frame && Bytes::is_of_frame(of(address)->offset, size);
  }

  // What `result` is computed from.
  void uses(Origin& result, const IRExpr* operand) const {
    result.loaded |= of(operand)->loaded;
    result.computed = true;
  }

  void load(Origin& result, const IRExpr* address, Int size) {
    if (is_in_frame(address, size))
      reads(Bytes::in_frame(of(address)->offset), size);
    else
      result.loaded = true;
  }

  // False: it is not known what it is computed from.
  bool expression(Origin& result, const IRExpr* value) {
    switch (value->tag) {
    case Iex_Const: return true;
    case Iex_RdTmp: result = *of(value); return true;
    case Iex_Get: {
      const Int offset = value->Iex.Get.offset;
      const Int size = size_of(value);
      if (!Bytes::is_of_state(offset, size))
        return false;
      reads(offset, size);
      result.in_frame = offset == offsetof(VexGuestAMD64State, guest_RBP) && size == sizeof(u64);
      return true;
    }
    case Iex_Load: load(result, value->Iex.Load.addr, size_of(value)); return true;
    case Iex_Unop:
      result.loaded = of(value->Iex.Unop.arg)->loaded;
      result.computed = of(value->Iex.Unop.arg)->computed; // it is made wider or narrower
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
      result.in_frame = -Bytes::kOfFrame <= offset && offset < 0;
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
      if (!Bytes::is_of_state(offset, size))
        return false;
      const bool of_call = quiet_.calls && offset == offsetof(VexGuestAMD64State, guest_RSP);
      if (offset != offsetof(VexGuestAMD64State, guest_RIP) && !of_call)
        writes(offset, size);
      return true;
    }
    // Nothing that a loop may count by, in what else points to the frame.
    case Ist_Store: {
      const IRExpr* data = statement->Ist.Store.data;
      const IRExpr* address = statement->Ist.Store.addr;
      if (quiet_.calls && data->tag == Iex_Const && data->Iex.Const.con->Ico.U64 == after_)
        return true;
      if ((of(data)->loaded && of(data)->computed) || !is_in_frame(address, size_of(data)))
        return false;
      writes(Bytes::in_frame(of(address)->offset), size_of(data));
      return true;
    }
    // Where it stores what does not depend on what was there, memory is the same the next time.
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
  Quiet quiet_;
  GuestAddr after_ = 0; // the latest instruction
};

// Blocks of a loop are translated one soon after the other: the latest are kept.
constexpr unsigned kRecentBits = 10;

Quiet& recent_at(GuestAddr begin) {
  static Quiet* recent;
  if (recent == nullptr) {
    constexpr std::size_t kRecent = std::size_t{1} << kRecentBits;
    recent = static_cast<Quiet*>(allocate("cilkshadow.spins", kRecent * sizeof(Quiet)));
    std::uninitialized_fill_n(recent, kRecent, Quiet{});
  }
  return recent[begin * 0x9E3779B97F4A7C15u >> (64 - kRecentBits)];
}

// Of a loop.
struct Round {
  u64 instructions = 0;
  u64 blocks = 0;
  bool calls = false;
  bool pauses = false;

  // A pause tells of its round itself; but not that calls in it are work.
  bool is_told() const { return blocks > 0 && (calls || !pauses); }
};

// Blocks that follow each other.
class Loop {
public:
  explicit Loop(const Quiet& first) : first_(first) {}

  // From the first block's `to` back to that. No blocks: there is none.
  Round find(GuestAddr to) {
    blocks_[0] = &first_;
    return find(to, 1);
  }

private:
  static constexpr unsigned kMostBlocks = 16;
  static constexpr unsigned kMostTried = 50; // ways branch

  Round find(GuestAddr to, unsigned blocks) {
    if (to == first_.begin)
      return changes_nothing(blocks) ? round(blocks) : Round{};
    const Quiet& next = recent_at(to);
    if (next.begin != to || blocks == kMostBlocks || tried_++ == kMostTried)
      return {};
    blocks_[blocks] = &next;
    for (unsigned i = 0; i < next.nexts; i++)
      if (const Round found = find(next.next[i], blocks + 1); found.blocks > 0)
        return found;
    return {};
  }

  // Begun somewhere, it reads nothing that it writes later: who has gone round it is as before.
  bool changes_nothing(unsigned blocks) const {
    for (unsigned begin = 0; begin < blocks; begin++) {
      Bytes read;
      Bytes written;
      for (unsigned i = 0; i < blocks; i++) {
        const Quiet& block = *blocks_[(begin + i) % blocks];
        read |= block.read.without(written);
        written |= block.written;
      }
      if (!read.meets(written))
        return true;
    }
    return false;
  }

  Round round(unsigned blocks) const {
    Round all{.blocks = blocks};
    for (unsigned i = 0; i < blocks; i++) {
      all.instructions += blocks_[i]->instructions;
      all.calls |= blocks_[i]->calls;
      all.pauses |= blocks_[i]->pauses;
    }
    return all;
  }

  const Quiet& first_;
  const Quiet* blocks_[kMostBlocks];
  unsigned tried_ = 0;
};

void tell(const Instrumentation& with, IRSB* block, const char* name, void* function,
          IRExpr** arguments, IRExpr* guard = nullptr) {
  publish_clock(with, block);
  ir::call(block, name, function, arguments, guard);
}

void tell_of_round(const Instrumentation& with, IRSB* block, Round round, IRExpr* guard = nullptr) {
  if (round.calls)
    tell(with, block, "goes_round_by_calls",
         reinterpret_cast<void*>(spin_waits::goes_round_by_calls), mkIRExprVec_0(), guard);
  else
    tell(with, block, "goes_round", reinterpret_cast<void*>(spin_waits::goes_round),
         mkIRExprVec_2(ir::constant(round.instructions), ir::constant(round.blocks)), guard);
}

} // namespace

IRSB* instrument(const Instrumentation& with, const IRSB* block, IRSB* traced) {
  const bool pauses = block->jumpkind == Ijk_Yield;
  if (!pauses && block->jumpkind != Ijk_Boring && block->jumpkind != Ijk_Call)
    return traced;
  Round rounds[Quiet::kMostNext]; // by where the block may go next
  Quiet quiet;
  if (Reader(block).run(quiet)) {
    recent_at(quiet.begin) = quiet;
    for (unsigned i = 0; i < quiet.nexts; i++)
      rounds[i] = Loop(quiet).find(quiet.next[i]);
  }
  const bool has_rounds = std::any_of(std::begin(rounds), std::end(rounds),
                                      [](Round round) { return round.is_told(); });
  if (!pauses && !has_rounds)
    return traced;
  if (!routine_classes->is_of_program(block->stmts[ir::first_instruction(block)]->Ist.IMark.addr))
    return traced;
  IRSB* completed = deepCopyIRSBExceptStmts(traced);
  const auto goes_on = [&](GuestAddr next, IRExpr* guard = nullptr) {
    for (unsigned i = 0; i < quiet.nexts; i++)
      if (quiet.next[i] == next && rounds[i].is_told())
        return tell_of_round(with, completed, rounds[i], guard);
  };
  bool has_begun = false;
  for (Int i = 0; i < traced->stmts_used; i++) {
    IRStmt* statement = traced->stmts[i];
    if (statement->tag == Ist_Exit)
      goes_on(statement->Ist.Exit.dst->Ico.U64, statement->Ist.Exit.guard);
    else if (is_instruction_at(quiet.begin, statement) && std::exchange(has_begun, true))
      goes_on(quiet.begin);
    addStmtToIRSB(completed, statement);
  }
  if (quiet.calls)
    goes_on(quiet.next[quiet.nexts - 1]);
  else if (block->next->tag == Iex_Const)
    goes_on(block->next->Iex.Const.con->Ico.U64);
  if (pauses)
    tell(with, completed, "pauses", reinterpret_cast<void*>(spin_waits::pauses), mkIRExprVec_0());
  return completed;
}

} // namespace spin_code
