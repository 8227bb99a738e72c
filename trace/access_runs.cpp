#include "trace/access_runs.hpp"

#include "trace/loops/loop_table.hpp"
#include "trace/markers.hpp"

AccessRuns::AccessRuns(const IRSB* block, Int stack_pointer, IRTemp return_address,
                       bool find_markers)
    : block_(block), stack_pointer_(stack_pointer), return_address_(return_address),
      find_markers_(find_markers) {
  places_.resize(index(block->tyenv->types_used));
  steps_.reserve(index(block->stmts_used));
  for (Int i = 0; i < block->stmts_used; i++)
    steps_.push_back(step(block->stmts[i]));
}

AccessRuns::Place AccessRuns::place_of(const IRExpr* value) const {
  if (value->tag == Iex_RdTmp)
    return places_[value->Iex.RdTmp.tmp];
  // In flat code the only other operand is a constant.
  const IRConst* constant = value->Iex.Const.con;
  return {IRTemp_INVALID, constant->tag == Ico_U64 ? constant->Ico.U64 : 0};
}

// Each read of the stack pointer in the block yields the same value, plus what the block has added.
AccessRuns::Place AccessRuns::place_of_new(IRTemp temp, const IRExpr* value) {
  const Place unknown{temp, 0};
  if (value->tag == Iex_RdTmp)
    return place_of(value);
  if (value->tag == Iex_Get && value->Iex.Get.offset == stack_pointer_) {
    if (in_stack_pointer_.root == IRTemp_INVALID)
      in_stack_pointer_ = unknown;
    return in_stack_pointer_;
  }
  if (value->tag != Iex_Binop || value->Iex.Binop.arg2->tag != Iex_Const)
    return unknown;
  const bool adds = value->Iex.Binop.op == Iop_Add64;
  if (!adds && value->Iex.Binop.op != Iop_Sub64)
    return unknown;
  const Place from = place_of(value->Iex.Binop.arg1);
  const u64 amount = value->Iex.Binop.arg2->Iex.Const.con->Ico.U64;
  return {from.root, adds ? from.offset + amount : from.offset - amount};
}

AccessRuns::Step AccessRuns::access(const IRExpr* address, const IRExpr* data,
                                    bool is_store) const {
  return {.place = place_of(address),
          .bytes = static_cast<u8>(sizeofIRType(typeOfIRExpr(block_->tyenv, data))),
          .is_store = is_store};
}

// Whether the instruction is a marker, or begins, repeats or ends a loop.
bool AccessRuns::is_event(GuestAddr instruction, u32 bytes) const {
  if (find_markers_ && marker_at(instruction, bytes).has_value())
    return true;
  const LoopTable::Leader* const leader = loops == nullptr ? nullptr : loops->leader(instruction);
  return leader != nullptr && (leader->is_header || leader->may_leave);
}

AccessRuns::Step AccessRuns::step(const IRStmt* statement) {
  switch (statement->tag) {
  case Ist_WrTmp: {
    const IRTemp temp = statement->Ist.WrTmp.tmp;
    const IRExpr* value = statement->Ist.WrTmp.data;
    places_[temp] = place_of_new(temp, value);
    return value->tag == Iex_Load && temp != return_address_
               ? access(value->Iex.Load.addr, value, false)
               : Step{};
  }
  case Ist_Store: return access(statement->Ist.Store.addr, statement->Ist.Store.data, true);
  case Ist_Put: {
    if (statement->Ist.Put.offset != stack_pointer_)
      return {};
    const IRTemp before = in_stack_pointer_.root;
    in_stack_pointer_ = place_of(statement->Ist.Put.data);
    return {.ends_run = before == IRTemp_INVALID || in_stack_pointer_.root != before};
  }
  case Ist_IMark:
    return {.ends_run = is_event(statement->Ist.IMark.addr, statement->Ist.IMark.len)};
  case Ist_NoOp:
  case Ist_AbiHint:
  case Ist_PutI: return {};
  default: return {.ends_run = true};
  }
}

AccessRuns::Run AccessRuns::begin(Int statement) {
  const std::size_t first = index(statement);
  const Step& leader = steps_[first];
  Run run{0, leader.bytes};
  if (leader.bytes % kWord != 0)
    return run;

  // Numbers the words so that the leader's first word is number kMostWords.
  const auto word_of = [&](const Step& step) {
    const auto distance = static_cast<i64>(step.place.offset - leader.place.offset);
    return distance % kWord == 0 ? distance / i64{kWord} + kMostWords : -1;
  };
  const auto is_near = [&](const Step& step) {
    return step.bytes != 0 && step.bytes % kWord == 0 && step.place.root == leader.place.root &&
           word_of(step) >= 0 && word_of(step) <= 2 * kMostWords;
  };
  u64 accessed = 0;
  std::size_t end = first;
  for (; end < steps_.size(); end++) {
    const Step& step = steps_[end];
    if (step.ends_run || (step.bytes != 0 && step.is_store != leader.is_store))
      break;
    if (is_near(step))
      accessed |= ((u64{1} << step.bytes / kWord) - 1) << word_of(step);
  }

  unsigned begin_word = kMostWords;
  unsigned end_word = kMostWords + leader.bytes / kWord;
  while (end_word - begin_word < kMostWords && (accessed >> end_word & 1) != 0)
    end_word++;
  while (end_word - begin_word < kMostWords && begin_word > 0 &&
         (accessed >> (begin_word - 1) & 1) != 0)
    begin_word--;
  for (std::size_t i = first + 1; i < end; i++) {
    Step& step = steps_[i];
    if (is_near(step) && word_of(step) >= begin_word &&
        word_of(step) + step.bytes / kWord <= end_word)
      step.is_reported = true;
  }
  run.begin = (i64{begin_word} - kMostWords) * kWord;
  run.bytes = (end_word - begin_word) * kWord;
  return run;
}

bool AccessRuns::take_store(Int statement) {
  const Step& load = steps_[index(statement)];
  if (load.is_store)
    return false;
  for (std::size_t i = index(statement) + 1; i < steps_.size() && !steps_[i].ends_run; i++) {
    Step& next = steps_[i];
    if (next.bytes == 0)
      continue;
    const bool takes = next.is_store && next.bytes == load.bytes && next.place == load.place;
    next.is_reported |= takes;
    return takes;
  }
  return false;
}
