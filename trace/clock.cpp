#include "trace/clock.hpp"

#include "trace/event_log_code.hpp"
#include "trace/guest_registers.hpp"
#include "trace/ir.hpp"

namespace client_clock {
namespace {

Costs* clock;
bool code_runs = false;

Int offset_of(CostEvent event) {
  return guest::in_shadow(kOffset + static_cast<unsigned>(event) * sizeof(u64));
}

void stops_running(ThreadId tid, ULong) {
  code_runs = false;
  VG_(get_shadow_regs_area)
  (tid, reinterpret_cast<UChar*>(clock->of), guest::kShadow, kOffset, sizeof clock->of);
  event_log::code_stops();
}

} // namespace

void start(Costs& in_memory) {
  clock = &in_memory;
  VG_(track_stop_client_code)(stops_running);
}

void starts_running(ThreadId tid) {
  code_runs = true;
  VG_(set_shadow_regs_area)
  (tid, guest::kShadow, kOffset, sizeof clock->of, reinterpret_cast<const UChar*>(clock->of));
}

void signal_comes(ThreadId tid) {
  if (code_runs)
    stops_running(tid, 0);
}

IRExpr* time(IRSB* block, CostEvent event) {
  return ir::assign(block, Ity_I64, IRExpr_Get(offset_of(event), Ity_I64));
}

IRExpr* count(IRSB* block, CostEvent event, IRExpr* amount) {
  IRExpr* after = ir::sum(block, time(block, event), amount);
  addStmtToIRSB(block, IRStmt_Put(offset_of(event), after));
  return after;
}

void say_helper_reads(IRDirty* call) {
  auto& state = call->fxState[call->nFxState++];
  state = {};
  state.fx = Ifx_Read;
  state.offset = static_cast<UShort>(guest::in_shadow(kOffset));
  state.size = sizeof clock->of;
}

void publish(IRSB* block, CostEvent event, IRExpr* time) {
  ir::store(block, &(*clock)[event], time);
}

} // namespace client_clock
