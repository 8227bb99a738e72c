#include "trace/event_log_code.hpp"

#include "trace/ir.hpp"

namespace event_log {

void add(IRSB* block, const LogSite& site, IRExpr* sp, IRExpr* time, IRExpr* target) {
  const auto at = [block](IRExpr* event, std::size_t offset) {
    return offset == 0 ? event : ir::sum(block, event, offset);
  };
  const auto put = [&](IRExpr* event, std::size_t offset, IRExpr* value) {
    addStmtToIRSB(block, IRStmt_Store(Iend_LE, at(event, offset), value));
  };
  IRExpr* address = ir::constant(reinterpret_cast<u64>(&next));
  IRExpr* event = ir::assign(block, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, address));
  put(event, offsetof(Event, what), ir::constant(kind_and_site(site)));
  put(event, offsetof(Event, sp), sp);
  put(event, offsetof(Event, time), time);
  if (target != nullptr)
    put(event, offsetof(Event, target), target);
  IRExpr* after = ir::sum(block, event, sizeof(Event));
  addStmtToIRSB(block, IRStmt_Store(Iend_LE, address, after));
  IRExpr* end = ir::constant(reinterpret_cast<u64>(log + kEvents));
  IRExpr* full = ir::assign(block, Ity_I1, IRExpr_Binop(Iop_CmpEQ64, after, end));
  ir::call(block, "log_is_full", reinterpret_cast<void*>(log_is_full), mkIRExprVec_0(), full);
}

IRExpr** arguments(const LogSite& site, IRExpr* target, IRExpr* sp) {
  return mkIRExprVec_3(target, sp, ir::constant(kind_and_site(site)));
}

void code_stops() {
  flush();
  static DiEpoch epoch;
  const DiEpoch now = VG_(current_DiEpoch)();
  if (now.n == epoch.n)
    return;
  epoch = now;
  forget_targets();
}

} // namespace event_log
