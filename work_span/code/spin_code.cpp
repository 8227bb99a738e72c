#include "work_span/code/spin_code.hpp"

#include "base/lazy.hpp"
#include "base/vector.hpp"
#include "trace/ir.hpp"
#include "work_span/code/quiet_block.hpp"
#include "work_span/order/spin_waits.hpp"
#include "work_span/runtimes/routine_class_table.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace spin_code {
namespace {

// The blocks of a loop are translated soon after each other, so only the latest are kept.
constexpr unsigned kRecentBits = 10;

QuietBlock& recent_at(GuestAddr begin) {
  static Lazy<Vector<QuietBlock>> recent{"cilkshadow.spins"};
  if (recent->empty())
    recent->resize(std::size_t{1} << kRecentBits);
  return (*recent)[begin * 0x9E3779B97F4A7C15u >> (64 - kRecentBits)];
}

// One round of a loop; has no blocks if there is no loop.
struct Round {
  u64 instructions = 0;
  u64 blocks = 0;
  bool calls = false;
  bool pauses = false;

  // A round with a pause is reported at the pause, but there it is unknown that its calls count as
  // work.
  bool needs_event() const { return blocks > 0 && (calls || !pauses); }
};

// Searches for a loop of quiet blocks that begins with a given one.
class LoopSearch {
public:
  explicit LoopSearch(const QuietBlock& first) : first_(first) {}

  // Finds a round from the first block to `to` and back to the first block.
  Round find(GuestAddr to) {
    blocks_[0] = &first_;
    return find(to, 1);
  }

private:
  static constexpr unsigned kMostBlocks = 16;
  static constexpr unsigned kMostTried = 50; // because paths branch

  Round find(GuestAddr to, unsigned blocks) {
    if (to == first_.begin)
      return changes_nothing(blocks) ? round(blocks) : Round{};
    const QuietBlock& next = recent_at(to);
    if (next.begin != to || blocks == kMostBlocks || tried_++ == kMostTried)
      return {};
    blocks_[blocks] = &next;
    for (unsigned i = 0; i < next.nexts; i++)
      if (const Round found = find(next.next[i], blocks + 1); found.blocks > 0)
        return found;
    return {};
  }

  // Whether a round leaves everything unchanged: starting from some block, it reads nothing that it
  // writes later.
  bool changes_nothing(unsigned blocks) const {
    for (unsigned begin = 0; begin < blocks; begin++) {
      ByteSet read;
      ByteSet written;
      for (unsigned i = 0; i < blocks; i++) {
        const QuietBlock& block = *blocks_[(begin + i) % blocks];
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

  const QuietBlock& first_;
  const QuietBlock* blocks_[kMostBlocks];
  unsigned tried_ = 0;
};

void call(const Instrumentation& with, IRSB* block, const char* name, void* function,
          IRExpr** arguments, IRExpr* guard = nullptr) {
  publish_clock(with, block);
  ir::call(block, name, function, arguments, guard);
}

void call_for_round(const Instrumentation& with, IRSB* block, Round round,
                    IRExpr* guard = nullptr) {
  if (round.calls)
    call(with, block, "goes_round_by_calls",
         reinterpret_cast<void*>(spin_waits::goes_round_by_calls), mkIRExprVec_0(), guard);
  else
    call(with, block, "goes_round", reinterpret_cast<void*>(spin_waits::goes_round),
         mkIRExprVec_2(ir::constant(round.instructions), ir::constant(round.blocks)), guard);
}

} // namespace

IRSB* instrument(const Instrumentation& with, const IRSB* block, IRSB* traced) {
  const bool pauses = block->jumpkind == Ijk_Yield;
  if (!pauses && block->jumpkind != Ijk_Boring && block->jumpkind != Ijk_Call)
    return traced;
  Round rounds[QuietBlock::kMostNext]; // by next block
  QuietBlock quiet;
  if (find_quiet(block, quiet)) {
    recent_at(quiet.begin) = quiet;
    for (unsigned i = 0; i < quiet.nexts; i++)
      rounds[i] = LoopSearch(quiet).find(quiet.next[i]);
  }
  const bool has_rounds = std::any_of(std::begin(rounds), std::end(rounds),
                                      [](Round round) { return round.needs_event(); });
  if (!pauses && !has_rounds)
    return traced;
  const GuestAddr begin = block->stmts[ir::first_instruction(block)]->Ist.IMark.addr;
  if (pauses && shadow::state->dag != nullptr && routine_classes->is_of_library(begin)) {
    call(with, traced, "library_pauses", reinterpret_cast<void*>(spin_waits::library_pauses),
         mkIRExprVec_0());
    return traced;
  }
  if (!routine_classes->is_of_program(begin))
    return traced;
  IRSB* completed = deepCopyIRSBExceptStmts(traced);
  const auto goes_on = [&](GuestAddr next, IRExpr* guard = nullptr) {
    for (unsigned i = 0; i < quiet.nexts; i++)
      if (quiet.next[i] == next && rounds[i].needs_event())
        return call_for_round(with, completed, rounds[i], guard);
  };
  bool has_begun = false;
  for (Int i = 0; i < traced->stmts_used; i++) {
    IRStmt* statement = traced->stmts[i];
    if (statement->tag == Ist_Exit)
      goes_on(statement->Ist.Exit.dst->Ico.U64, statement->Ist.Exit.guard);
    else if (ir::is_instruction_at(statement, quiet.begin) && std::exchange(has_begun, true))
      goes_on(quiet.begin);
    addStmtToIRSB(completed, statement);
  }
  if (quiet.calls)
    goes_on(quiet.next[quiet.nexts - 1]);
  else if (block->next->tag == Iex_Const)
    goes_on(block->next->Iex.Const.con->Ico.U64);
  if (pauses)
    call(with, completed, "pauses", reinterpret_cast<void*>(spin_waits::pauses), mkIRExprVec_0());
  return completed;
}

} // namespace spin_code
