#include "trace/instrument.hpp"

#include "trace/access_code.hpp"
#include "trace/arguments.hpp"
#include "trace/clock.hpp"
#include "trace/cost_code.hpp"
#include "trace/event_code.hpp"
#include "trace/jump_code.hpp"
#include "trace/loops/loop_code.hpp"
#include "trace/loops/loop_events.hpp"
#include "trace/loops/loop_table.hpp"
#include "trace/markers.hpp"
#include "trace/threads.hpp"

namespace {

// Walks the statements of a superblock in order and lets each part of the code generation add its
// code.
class Instrumenter {
public:
  Instrumenter(const Instrumentation& with, GuestAddr address, IRSB* block,
               const VexGuestLayout* layout)
      : block_(with, address, block, layout) {}

  IRSB* run();

private:
  void statement(IRStmt* statement);
  void instruction(IRStmt* mark);
  void next_round();

  TranslatedBlock block_;
  CostCode costs_{block_};
  AccessCode accesses_{block_};
  EventCode events_{block_, costs_};
  LoopCode loops_{block_, costs_, events_};
  JumpCode jumps_{block_, costs_, events_, loops_};
};

IRSB* Instrumenter::run() {
  const IRSB* in = block_.in;
  // The core's own preamble is not part of the client.
  for (; block_.at < in->stmts_used && in->stmts[block_.at]->tag != Ist_IMark; block_.at++)
    block_.add(in->stmts[block_.at]);
  if (block_.with.running_arguments != nullptr && !block_.is_linkage())
    arguments->add(block_.out, *block_.with.running_arguments, block_.address);
  // The block itself is part of the loop already.
  loops_.instruction(block_.address);
  costs_.block_begins(accesses_.blocks());
  for (; block_.at < in->stmts_used; block_.at++)
    statement(in->stmts[block_.at]);
  jumps_.block_end();
  return block_.out;
}

void Instrumenter::statement(IRStmt* statement) {
  if (statement->tag == Ist_IMark)
    return instruction(statement);
  accesses_.before(statement);
  if (statement->tag == Ist_Put)
    jumps_.put(statement);
  if (statement->tag == Ist_Exit)
    jumps_.side_exit(statement);
  block_.add(statement);
  accesses_.after(statement);
}

void Instrumenter::instruction(IRStmt* mark) {
  if (block_.seen > 0 && mark->Ist.IMark.addr == block_.address)
    next_round();
  block_.instruction = mark->Ist.IMark.addr;
  block_.next_instruction = block_.instruction + mark->Ist.IMark.len;
  if (block_.seen > 0)
    loops_.instruction(block_.instruction);
  block_.add(mark);
  const std::optional<u32> marker =
      block_.with.find_markers ? marker_at(block_.instruction, mark->Ist.IMark.len) : std::nullopt;
  if (!marker) {
    block_.seen++;
    costs_.instruction();
    return;
  }
  costs_.marker();
  events_.marker(*marker);
}

// The next iteration of a loop that VEX has unrolled.
void Instrumenter::next_round() {
  costs_.flush_instructions();
  events_.report_marker();
  costs_.block_begins(accesses_.blocks());
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
  const GuestAddr address = closure->readdr;
  if (loops != nullptr && RoutineTable::linkage(address) == RoutineTable::Linkage::none &&
      !RoutineTable::is_in_dynamic_linker(address)) {
    // What a thread is to begin its turn with is translated before it is said to run.
    if (threads::find(closure->tid) != nullptr)
      threads::make_current(closure->tid);
    loop_events::find_loops(address, block);
  }
  IRSB* const out = Instrumenter(with, address, block, layout).run();
  if (loops != nullptr) // what the block calls may have been searched as part of another routine
    loops->search_late_entries();
  return out;
}
