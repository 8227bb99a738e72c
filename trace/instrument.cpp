#include "trace/instrument.hpp"

#include "base/check.hpp"
#include "trace/call_events.hpp"
#include "trace/clock.hpp"
#include "trace/event_log_code.hpp"
#include "trace/ir.hpp"
#include "trace/late_entries.hpp"
#include "trace/lines/line_code.hpp"
#include "trace/loops/logged_loops.hpp"
#include "trace/markers.hpp"
#include "trace/sink.hpp"
#include "trace/string_operations.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

namespace {

using event_log::Kind;
using ir::constant;

template <typename F> void for_each_counted(const Instrumentation& with, F f) {
  if (with.count_basic_blocks)
    f(CostEvent::basic_blocks);
  if (with.count_instructions)
    f(CostEvent::instructions);
}

class Instrumenter {
public:
  Instrumenter(const Instrumentation& with, VgCallbackClosure* closure, IRSB* in,
               const VexGuestLayout* layout)
      : with_(with), in_(in), out_(deepCopyIRSBExceptStmts(in)), layout_(layout),
        block_address_(closure->readdr), linkage_(RoutineTable::linkage(block_address_)) {
    if (with.count_lines && linkage_ == RoutineTable::Linkage::none)
      lines_.emplace(out_, in_, block_address_, with.count_basic_blocks, with.count_instructions);
    if (lines_ && !lines_->counts())
      lines_.reset();
  }

  IRSB* run();

private:
  void statement(IRStmt* statement);
  void instruction(IRStmt* mark);
  void next_round();
  void loops_at(GuestAddr address);
  void log_loops_at(GuestAddr address);
  // After the block has done what says so.
  void keep_loop(logged_loops::State state) {
    if (with_.log_loops && linkage_ == RoutineTable::Linkage::none)
      logged_loops::keep(out_, state);
  }
  void load(IRExpr* address, Int bytes, IRExpr* guard = nullptr);
  void store(IRExpr* address, Int bytes, IRExpr* guard = nullptr);
  void access(const AccessHelpers& helpers, IRExpr* address, Int bytes, IRExpr* guard);
  // Whether accesses that belong together are reported by one call.
  bool has_runs() const { return with_.read.has_runs() && linkage_ == RoutineTable::Linkage::none; }
  void plain_access(const AccessHelpers& helpers, IRExpr* address, Int bytes);
  void report_access(const AccessHelper& helper, IRExpr** arguments, IRExpr* guard = nullptr);
  void compare_and_swap(IRCAS* cas, IRStmt* statement);
  void put(const IRStmt* statement);
  enum class Origin { stack_pointer, frame_pointer, elsewhere };
  void set_stack_pointer(IRExpr* value, Origin origin);
  Origin origin_of(const IRExpr* value, int& budget) const;
  // A marker.
  struct Marked {
    u32 kind = 0; // 0: none
    u64 location = 0;
    u64 seen = 0; // instructions, before it
  };
  u64 kind_and_since(const Marked& marked) const {
    return ::kind_and_since(marked.kind, seen_ - marked.seen);
  }
  void report(const Marked& marked);
  // The marker that comes with the next event, if that takes it.
  Marked take_marked(bool is) { return is ? std::exchange(marked_, {}) : Marked{}; }
  void report_marked() {
    if (const Marked marked = std::exchange(marked_, {}); marked.kind != 0)
      report(marked);
  }
  void side_exit(const IRStmt* exit);
  void block_end();
  void end_in_call();
  void jump_to(GuestAddr target, IRExpr* guard);
  void jump_to_stub(IRExpr* guard);
  IRExpr** target_and_site() { return mkIRExprVec_3(in_->next, stack_pointer(), constant(site())); }
  // A place in the instruction; never 0, which would be nowhere.
  GuestAddr site() const { return std::max(instruction_, GuestAddr{1}); }

  void count(CostEvent event, IRExpr* amount);
  void count_basic_block();
  IRExpr* time(CostEvent event);
  void publish_clock(CostEvent event);
  void publish_clock() {
    for_each_counted(with_, [this](CostEvent event) { publish_clock(event); });
  }
  void flush_instructions();
  IRExpr* stack_pointer();
  IRTemp find_return_address_load() const;
  void add(IRStmt* statement) { addStmtToIRSB(out_, statement); }
  IRExpr* assign(IRType type, IRExpr* value) { return ir::assign(out_, type, value); }
  void call(const char* name, void* function, IRExpr** arguments, IRExpr* guard = nullptr);
  // Reports an event of trace/call_events.hpp now, which reads the clock.
  template <auto kEvent>
  void call_event(const char* name, IRExpr** arguments, IRExpr* guard = nullptr);
  // What the block does itself; and calls of the routine by it.
  bool may_wait();
  bool may_wait(RoutineId routine) { return may_wait() && with_.routine_may_wait(routine); }
  // An event of so many instructions before.
  void log(const event_log::LogSite& site, IRExpr* target = nullptr, u64 before = 0);
  // An event with the address where the block goes on, which is known only then.
  void log_or_deliver(const char* name, void (*deliver)(GuestAddr, GuestAddr, u64),
                      const event_log::LogSite& site);
  Int bytes_of(const IRExpr* value) const { return sizeofIRType(typeOfIRExpr(in_->tyenv, value)); }

  const Instrumentation& with_;
  IRSB* in_;
  IRSB* out_;
  const VexGuestLayout* layout_;
  GuestAddr block_address_;
  std::optional<bool> may_wait_; // none: not asked yet
  // What linkage stubs read is no routine's input; the way to the binder is no routine's cost
  // either, so that a routine's first call looks like all others.
  RoutineTable::Linkage linkage_;
  GuestAddr instruction_ = 0;
  GuestAddr next_instruction_ = 0;
  u64 instructions_ = 0; // seen and not yet counted
  u64 seen_ = 0;         // in all
  Marked marked_;        // comes with the next event: a spawn's child, a return after a sync
  IRExpr* time_[kCountedEvents]{};         // the clock, where this block has counted
  IRTemp return_address_ = IRTemp_INVALID; // what a return at the end of the block reads
  std::optional<AccessRuns> runs_;         // none: each access is reported by itself
  std::optional<StringOperation> string_;  // an iteration of it is all that the block does
  std::optional<LineCode> lines_;          // none: its lines are not counted
  Int at_ = 0;                             // the statement, by its place in `in_`
  IRTemp stack_pointer_ = IRTemp_INVALID;  // its latest value
  bool sets_stack_pointer_ = false;        // seen an event_stack_pointer_set
  std::optional<const Loop*> in_loop_;     // whose body it is in; none: the block does not tell
};

void Instrumenter::call(const char* name, void* function, IRExpr** arguments, IRExpr* guard) {
  ir::call(out_, name, function, arguments, guard);
}

template <auto kEvent>
void Instrumenter::call_event(const char* name, IRExpr** arguments, IRExpr* guard) {
  report_marked();
  publish_clock();
  auto* deliver = with_.code_may_wait == nullptr ? kEvent : event_log::AtOnce<kEvent>::deliver;
  call(name, reinterpret_cast<void*>(deliver), arguments, guard);
}

bool Instrumenter::may_wait() {
  if (!may_wait_)
    may_wait_ = with_.code_may_wait != nullptr && linkage_ == RoutineTable::Linkage::none &&
                with_.code_may_wait(block_address_);
  return *may_wait_;
}

void Instrumenter::log(const event_log::LogSite& site, IRExpr* target, u64 before) {
  report_marked();
  const auto event = with_.count_instructions ? CostEvent::instructions : CostEvent::basic_blocks;
  IRExpr* time = this->time(event);
  if (before != 0 && with_.count_instructions)
    time = ir::sum(out_, time, u64{0} - before);
  event_log::add(out_, site, stack_pointer(), time, target);
}

void Instrumenter::log_or_deliver(const char* name, void (*deliver)(GuestAddr, GuestAddr, u64),
                                  const event_log::LogSite& site) {
  report_marked();
  publish_clock();
  call(name, reinterpret_cast<void*>(deliver),
       event_log::arguments(site, in_->next, stack_pointer()));
}

IRExpr* Instrumenter::time(CostEvent event) {
  IRExpr* known = time_[static_cast<unsigned>(event)];
  return known != nullptr ? known : client_clock::time(out_, event);
}

void Instrumenter::publish_clock(CostEvent event) {
  client_clock::publish(out_, event, time(event));
}

void Instrumenter::count(CostEvent event, IRExpr* amount) {
  if (linkage_ == RoutineTable::Linkage::binding)
    ir::count(out_, &(*with_.on_way_to_binder)[event], amount);
  else
    time_[static_cast<unsigned>(event)] = client_clock::count(out_, event, amount);
}

void Instrumenter::count_basic_block() {
  IRExpr* const amount = string_ ? string_operations::counts(out_, *string_) : constant(1);
  if (with_.count_basic_blocks)
    count(CostEvent::basic_blocks, amount);
  if (lines_)
    lines_->block_begins(amount);
}

void Instrumenter::flush_instructions() {
  if (with_.count_instructions && instructions_ > 0)
    count(CostEvent::instructions, constant(instructions_));
  if (lines_)
    lines_->instructions_counted();
  instructions_ = 0;
}

void Instrumenter::report(const Marked& marked) {
  flush_instructions();
  if (may_wait())
    return log({.kind = Kind::marker,
                .address = instruction_,
                .marker = marked.kind,
                .location = marked.location},
               nullptr, seen_ - marked.seen);
  call_event<event_marker>(
      "event_marker", mkIRExprVec_2(constant(kind_and_since(marked)), constant(marked.location)));
}

IRExpr* Instrumenter::stack_pointer() {
  if (stack_pointer_ != IRTemp_INVALID)
    return IRExpr_RdTmp(stack_pointer_);
  return assign(Ity_I64, IRExpr_Get(layout_->offset_SP, Ity_I64));
}

// The memory accesses

void Instrumenter::access(const AccessHelpers& helpers, IRExpr* address, Int bytes, IRExpr* guard) {
  const auto size = static_cast<unsigned>(bytes);
  const auto which = static_cast<unsigned>(std::countr_zero(size));
  const bool has_its_own = std::has_single_bit(size) && which < AccessHelpers::kSizes;
  const AccessHelper& helper = has_its_own ? helpers.of_size[which] : helpers.of_any_size;
  if (linkage_ != RoutineTable::Linkage::none || helper.function == nullptr)
    return;
  report_access(
      helper, has_its_own ? mkIRExprVec_1(address) : mkIRExprVec_2(address, constant(size)), guard);
}

void Instrumenter::report_access(const AccessHelper& helper, IRExpr** arguments, IRExpr* guard) {
  if (with_.accesses_reported != nullptr)
    ir::count(out_, with_.accesses_reported, 1);
  call(helper.name, helper.function, arguments, guard);
}

void Instrumenter::load(IRExpr* address, Int bytes, IRExpr* guard) {
  access(with_.read, address, bytes, guard);
}

void Instrumenter::store(IRExpr* address, Int bytes, IRExpr* guard) {
  access(with_.write, address, bytes, guard);
}

// Reported with its neighbours, or with the store that modifies it, if it is not yet.
void Instrumenter::plain_access(const AccessHelpers& helpers, IRExpr* address, Int bytes) {
  if (string_ && has_runs())
    return; // reported already
  if (!runs_)
    return access(helpers, address, bytes, nullptr);
  if (runs_->is_reported(at_))
    return;
  const AccessRuns::Run run = runs_->begin(at_);
  if (run.bytes == static_cast<unsigned>(bytes))
    return access(runs_->take_store(at_) ? with_.modify : helpers, address, bytes, nullptr);
  if (run.begin != 0)
    address = ir::sum(out_, address, static_cast<u64>(run.begin));
  report_access(helpers.of_words[run.bytes / AccessRuns::kWord], mkIRExprVec_1(address));
}

// A compare-and-swap reads; it writes only when the values were equal.
void Instrumenter::compare_and_swap(IRCAS* cas, IRStmt* statement) {
  const bool two = cas->dataHi != nullptr;
  const IRType type = typeOfIRExpr(in_->tyenv, cas->dataLo);
  const Int bytes = sizeofIRType(type) * (two ? 2 : 1);
  load(cas->addr, bytes);
  add(statement);
  IROp equal = Iop_CmpEQ64;
  switch (type) {
  case Ity_I8: equal = Iop_CasCmpEQ8; break;
  case Ity_I16: equal = Iop_CasCmpEQ16; break;
  case Ity_I32: equal = Iop_CasCmpEQ32; break;
  case Ity_I64: equal = Iop_CasCmpEQ64; break;
  default: CHECK(!"operand size of a compare-and-swap");
  }
  IRExpr* swapped = assign(Ity_I1, IRExpr_Binop(equal, IRExpr_RdTmp(cas->oldLo), cas->expdLo));
  if (two) {
    IRExpr* high = assign(Ity_I1, IRExpr_Binop(equal, IRExpr_RdTmp(cas->oldHi), cas->expdHi));
    IRExpr* low_64 = assign(Ity_I64, IRExpr_Unop(Iop_1Uto64, swapped));
    IRExpr* high_64 = assign(Ity_I64, IRExpr_Unop(Iop_1Uto64, high));
    IRExpr* both = assign(Ity_I64, IRExpr_Binop(Iop_And64, low_64, high_64));
    swapped = assign(Ity_I1, IRExpr_Binop(Iop_CmpNE64, both, constant(0)));
  }
  store(cas->addr, bytes, swapped);
}

// Of a loop that VEX has unrolled.
void Instrumenter::next_round() {
  flush_instructions();
  report_marked();
  count_basic_block();
}

void Instrumenter::log_loops_at(GuestAddr address) {
  const LoopTable::Leader* const leader = loops->leader(address);
  if (leader == nullptr)
    return;
  if (leader->asks() && in_loop_ != leader->innermost) {
    flush_instructions();
    report_marked();
    publish_clock();
    logged_loops::ask(out_, *leader, address, with_.code_may_wait != nullptr, stack_pointer());
    in_loop_ = leader->innermost;
    if (leader->is_condition)
      in_loop_.reset();
  }
  if (leader->counts)
    logged_loops::count_iteration(out_, *leader->innermost);
}

// A loop begins, goes round or ends there.
void Instrumenter::loops_at(GuestAddr address) {
  if (linkage_ != RoutineTable::Linkage::none)
    return;
  if (with_.log_loops)
    return log_loops_at(address);
  if (with_.running_loop == nullptr)
    return;
  loop_events::add(
      out_, *with_.running_loop, address,
      [](void* self) {
        auto& instrumenter = *static_cast<Instrumenter*>(self);
        instrumenter.flush_instructions();
        instrumenter.publish_clock();
      },
      this);
}

void Instrumenter::instruction(IRStmt* mark) {
  if (seen_ > 0 && mark->Ist.IMark.addr == block_address_)
    next_round();
  instruction_ = mark->Ist.IMark.addr;
  next_instruction_ = instruction_ + mark->Ist.IMark.len;
  if (seen_ > 0)
    loops_at(instruction_);
  add(mark);
  const std::optional<u32> marker =
      with_.find_markers ? marker_at(instruction_, mark->Ist.IMark.len) : std::nullopt;
  if (!marker) {
    instructions_++;
    seen_++;
    if (lines_)
      lines_->instruction();
    return;
  }
  if (lines_)
    lines_->marker();
  const u64 location = sink::marker_location(instruction_);
  report_marked();
  const Marked marked{*marker, location, seen_};
  if (begins_spawn(*marker) || (Marker{*marker} == Marker::sync && may_wait()))
    marked_ = marked;
  else
    report(marked);
}

void Instrumenter::statement(IRStmt* statement) {
  switch (statement->tag) {
  case Ist_IMark: instruction(statement); return; // it added the statement itself
  case Ist_WrTmp: {
    const IRExpr* value = statement->Ist.WrTmp.data;
    if (value->tag == Iex_Load && statement->Ist.WrTmp.tmp != return_address_)
      plain_access(with_.read, value->Iex.Load.addr, bytes_of(value));
    break;
  }
  case Ist_Store:
    plain_access(with_.write, statement->Ist.Store.addr, bytes_of(statement->Ist.Store.data));
    break;
  case Ist_LoadG: {
    const IRLoadG* guarded = statement->Ist.LoadG.details;
    IRType result;
    IRType loaded;
    typeOfIRLoadGOp(guarded->cvt, &result, &loaded);
    load(guarded->addr, sizeofIRType(loaded), guarded->guard);
    break;
  }
  case Ist_StoreG: {
    const IRStoreG* guarded = statement->Ist.StoreG.details;
    store(guarded->addr, bytes_of(guarded->data), guarded->guard);
    break;
  }
  case Ist_CAS:
    compare_and_swap(statement->Ist.CAS.details, statement);
    return; // it added the statement itself
  case Ist_LLSC:
    if (statement->Ist.LLSC.storedata == nullptr)
      load(statement->Ist.LLSC.addr,
           sizeofIRType(typeOfIRTemp(in_->tyenv, statement->Ist.LLSC.result)));
    else
      store(statement->Ist.LLSC.addr, bytes_of(statement->Ist.LLSC.storedata));
    break;
  case Ist_Dirty: {
    const IRDirty* dirty = statement->Ist.Dirty.details;
    if (dirty->mFx == Ifx_Read || dirty->mFx == Ifx_Modify)
      load(dirty->mAddr, dirty->mSize, dirty->guard);
    if (dirty->mFx == Ifx_Write || dirty->mFx == Ifx_Modify)
      store(dirty->mAddr, dirty->mSize, dirty->guard);
    break;
  }
  case Ist_Exit:
    side_exit(statement);
    add(statement);
    if (string_ && has_runs())
      string_operations::report_accesses(out_, *string_, with_.read.of_any_size.function,
                                         with_.write.of_any_size.function);
    return;
  case Ist_Put: put(statement); break;
  case Ist_NoOp:
  case Ist_AbiHint:
  case Ist_PutI:
  case Ist_MBE: break;
  }
  add(statement);
}

// Switches of stacks

// What a value for the stack pointer was computed from.
Instrumenter::Origin Instrumenter::origin_of(const IRExpr* value, int& budget) const {
  if (budget-- <= 0)
    return Origin::elsewhere;
  switch (value->tag) {
  case Iex_Get:
    if (value->Iex.Get.offset == layout_->offset_SP)
      return Origin::stack_pointer;
    return value->Iex.Get.offset == layout_->offset_FP ? Origin::frame_pointer : Origin::elsewhere;
  case Iex_RdTmp:
    if (value->Iex.RdTmp.tmp == stack_pointer_)
      return Origin::stack_pointer;
    for (Int i = at_; i-- > 0;) {
      const IRStmt* earlier = in_->stmts[i];
      if (earlier->tag == Ist_WrTmp && earlier->Ist.WrTmp.tmp == value->Iex.RdTmp.tmp)
        return origin_of(earlier->Ist.WrTmp.data, budget);
    }
    return Origin::elsewhere;
  case Iex_Unop: return origin_of(value->Iex.Unop.arg, budget);
  case Iex_Binop:
    return std::min(origin_of(value->Iex.Binop.arg1, budget),
                    origin_of(value->Iex.Binop.arg2, budget));
  case Iex_ITE:
    return std::min(origin_of(value->Iex.ITE.iftrue, budget),
                    origin_of(value->Iex.ITE.iffalse, budget));
  default: return Origin::elsewhere;
  }
}

// Ordinary code moves the stack pointer, and gets it back from the frame pointer; longjmp,
// exceptions and switches of stacks set it. (Some functions get it back from elsewhere, too.)
void Instrumenter::put(const IRStmt* statement) {
  if (statement->Ist.Put.offset != layout_->offset_SP)
    return;
  IRExpr* value = statement->Ist.Put.data;
  int budget = 500; // expressions to look at
  const Origin origin = origin_of(value, budget);
  if (origin != Origin::stack_pointer)
    set_stack_pointer(value, origin);
  stack_pointer_ = value->tag == Iex_RdTmp ? value->Iex.RdTmp.tmp : IRTemp_INVALID;
}

// Before it is.
void Instrumenter::set_stack_pointer(IRExpr* value, Origin origin) {
  flush_instructions();
  IRExpr* before = stack_pointer();
  IRExpr* guard = nullptr;
  if (origin == Origin::frame_pointer) {
    constexpr u64 kLargeFrame = 1 << 16;
    IRExpr* removed = assign(Ity_I64, IRExpr_Binop(Iop_Sub64, value, before));
    guard = assign(Ity_I1, IRExpr_Binop(Iop_CmpLT64U, constant(kLargeFrame), removed));
  } else {
    sets_stack_pointer_ = true;
  }
  call_event<event_stack_pointer_set>("event_stack_pointer_set", mkIRExprVec_2(before, value),
                                      guard);
  if (guard != nullptr)
    return;
  keep_loop(logged_loops::State::unknown);
  in_loop_.reset();
}

// The ends of blocks

// A jump to a fixed address is a tail call when a routine begins there and the jump belongs to
// another. (Its block may begin in a third: an entry point may fall into the next.)
void Instrumenter::jump_to(GuestAddr target, IRExpr* guard) {
  const RoutineId routine = routines->at_entry(target);
  if (routine == RoutineId::none && RoutineTable::is_nameless(target))
    late_entries::jump_judged(target, block_address_);
  if (routine == RoutineId::stub)
    return jump_to_stub(guard);
  if (routine == RoutineId::none || routines->same_routine(instruction_, target))
    return;
  if (guard == nullptr && may_wait(routine))
    return log({.kind = Kind::jump_to_entry, .routine = routine, .address = site()});
  call_event<event_jump_to_entry>(
      "event_jump_to_entry",
      mkIRExprVec_3(constant(index(routine)), stack_pointer(), constant(site())), guard);
}

// The stub's own jump tells which routine it is.
void Instrumenter::jump_to_stub(IRExpr* guard) {
  if (!with_.find_sites || linkage_ != RoutineTable::Linkage::none)
    return;
  if (guard == nullptr && may_wait())
    return log({.kind = Kind::jump_to_stub, .address = site()});
  call_event<event_jump_to_stub>("event_jump_to_stub",
                                 mkIRExprVec_2(stack_pointer(), constant(site())), guard);
}

void Instrumenter::side_exit(const IRStmt* exit) {
  flush_instructions();
  if (lines_)
    lines_->may_exit();
  report_marked();
  if (exit->Ist.Exit.jk == Ijk_Boring)
    jump_to(exit->Ist.Exit.dst->Ico.U64, exit->Ist.Exit.guard);
}

void Instrumenter::end_in_call() {
  IRExpr* sp = stack_pointer();
  IRExpr* return_address = constant(next_instruction_);
  if (in_->next->tag != Iex_Const) {
    keep_loop(logged_loops::State::none);
    if (may_wait())
      log_or_deliver("call_indirect", event_log::call_indirect,
                     {.kind = Kind::call_indirect, .address = next_instruction_});
    else
      call_event<event_call_indirect>("event_call_indirect",
                                      mkIRExprVec_3(in_->next, sp, return_address));
    return;
  }
  const GuestAddr target = in_->next->Iex.Const.con->Ico.U64;
  if (target == next_instruction_)
    return; // how position-dependent code finds itself: no call
  if (routines->is_call_within(instruction_, target))
    return;
  keep_loop(logged_loops::State::none);
  const RoutineId routine = routines->called(target);
  if (routine == RoutineId::stub && may_wait())
    return log({.kind = Kind::call_stub, .address = next_instruction_});
  if (routine == RoutineId::stub) {
    call_event<event_call_stub>("event_call_stub", mkIRExprVec_2(sp, return_address));
    return;
  }
  const bool later = may_wait(routine);
  if (later) {
    const Marked spawn = take_marked(begins_spawn(marked_.kind));
    log({.kind = spawn.kind == 0 ? Kind::call : Kind::spawn_call,
         .routine = routine,
         .address = next_instruction_,
         .marker = kind_and_since(spawn),
         .location = spawn.location});
  } else {
    call_event<event_call>("event_call",
                           mkIRExprVec_3(constant(index(routine)), sp, return_address));
  }
}

void Instrumenter::block_end() {
  flush_instructions();
  const bool fixed = in_->next->tag == Iex_Const;
  if (sets_stack_pointer_ && !fixed && (in_->jumpkind == Ijk_Ret || in_->jumpkind == Ijk_Boring)) {
    call_event<event_arrive>("event_arrive", target_and_site());
    return;
  }
  switch (in_->jumpkind) {
  case Ijk_Call: end_in_call(); break;
  case Ijk_Ret:
    keep_loop(logged_loops::State::returned);
    if (may_wait()) {
      const Marked sync = take_marked(Marker{marked_.kind} == Marker::sync);
      log({.kind = sync.kind == 0 ? Kind::return_ : Kind::sync_return,
           .address = instruction_,
           .marker = kind_and_since(sync),
           .location = sync.location},
          in_->next);
    } else {
      call_event<event_return>("event_return", target_and_site());
    }
    break;
  case Ijk_Boring:
    if (!fixed && stack_pointer_ != IRTemp_INVALID) // a tail call's, or an unwinder's
      keep_loop(logged_loops::State::unknown);
    if (fixed)
      jump_to(in_->next->Iex.Const.con->Ico.U64, nullptr);
    else if (linkage_ != RoutineTable::Linkage::none && with_.code_may_wait != nullptr)
      log_or_deliver("stub_jump", event_log::stub_jump,
                     {.kind = Kind::stub_jump, .address = site()});
    else if (linkage_ != RoutineTable::Linkage::none)
      call_event<event_stub_jump>("event_stub_jump", target_and_site());
    else if (may_wait())
      log_or_deliver("jump", event_log::jump, {.kind = Kind::jump_within, .address = site()});
    else
      call_event<event_jump>("event_jump", target_and_site());
    break;
  default: // system calls, client requests, traps: control comes back to the next instruction
    break;
  }
  report_marked();
}

// Return addresses are no input: finds the load that a return at the end of the block makes.
IRTemp Instrumenter::find_return_address_load() const {
  if (in_->jumpkind != Ijk_Ret || in_->next->tag != Iex_RdTmp)
    return IRTemp_INVALID;
  return in_->next->Iex.RdTmp.tmp;
}

IRSB* Instrumenter::run() {
  return_address_ = find_return_address_load();
  string_ = string_operations::repeated_by(in_, block_address_);
  if (!string_ && has_runs())
    runs_.emplace(in_, layout_->offset_SP, return_address_, with_.find_markers);
  // The core's own preamble is none of the client's.
  for (; at_ < in_->stmts_used && in_->stmts[at_]->tag != Ist_IMark; at_++)
    add(in_->stmts[at_]);
  loops_at(block_address_); // the block is the loop's already
  count_basic_block();
  for (; at_ < in_->stmts_used; at_++)
    statement(in_->stmts[at_]);
  block_end();
  return out_;
}

} // namespace

void instrument_single_basic_blocks(bool unrolled) {
  VG_(clo_vex_control).guest_chase = False;
  if (!unrolled)
    VG_(clo_vex_control).iropt_unroll_thresh = 0;
}

namespace {
bool instrumenting = true;
}

bool is_instrumenting() { return instrumenting; }
void set_instrumenting(bool on) { instrumenting = on; }

void publish_clock(const Instrumentation& with, IRSB* block) {
  for_each_counted(with, [block](CostEvent event) {
    client_clock::publish(block, event, client_clock::time(block, event));
  });
}

IRSB* instrument(const Instrumentation& with, VgCallbackClosure* closure, IRSB* block,
                 const VexGuestLayout* layout) {
  if (loops != nullptr && !loop_events::has(closure->readdr) &&
      RoutineTable::linkage(closure->readdr) == RoutineTable::Linkage::none)
    return loop_events::find_loops(block, closure->readdr);
  return Instrumenter(with, closure, block, layout).run();
}
