#include "trace/event_code.hpp"

#include "trace/call_events.hpp"
#include "trace/sink.hpp"

using event_log::Kind;
using ir::constant;

bool EventCode::may_wait() {
  if (!may_wait_)
    may_wait_ = block_.with.code_may_wait != nullptr && !block_.is_linkage() &&
                block_.with.code_may_wait(block_.address);
  return *may_wait_;
}

void EventCode::log(const event_log::LogSite& site, IRExpr* target, u64 before) {
  report_marker();
  IRExpr* time = this->time();
  if (before != 0 && block_.with.count_instructions)
    time = ir::sum(block_.out, time, u64{0} - before);
  event_log::add(block_.out, site, block_.stack_pointer(), time, target);
}

void EventCode::log_or_deliver(const char* name, void (*deliver)(GuestAddr, GuestAddr, u64),
                               const event_log::LogSite& site) {
  publish();
  ir::call(block_.out, name, reinterpret_cast<void*>(deliver),
           event_log::arguments(site, block_.in->next, block_.stack_pointer()));
}

void EventCode::marker(u32 kind) {
  const u64 location = sink::marker_location(block_.instruction);
  report_marker();
  const PendingMarker marker{kind, location, block_.seen};
  if (begins_spawn(kind) || (Marker{kind} == Marker::sync && may_wait()))
    marker_ = marker;
  else
    report(marker);
}

void EventCode::report(const PendingMarker& marker) {
  costs_.flush_instructions();
  if (may_wait())
    return log({.kind = Kind::marker,
                .address = block_.instruction,
                .marker = marker.kind,
                .location = marker.location},
               nullptr, block_.seen - marker.seen);
  call<event_marker>("event_marker",
                     mkIRExprVec_2(constant(kind_and_since(marker)), constant(marker.location)));
}
