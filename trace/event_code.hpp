// What translated code does to raise the events of the trace: it appends them to the log
// (trace/event_log.hpp), or, where they must not wait, calls a function of trace/call_events.hpp.
//
// A marker that begins a spawn, or a sync, comes with the call or return that ends the block; if
// another event is first, it is reported before that. Owns the marker that waits for this.
#pragma once

#include "trace/cost_code.hpp"
#include "trace/event_log.hpp"
#include "trace/event_log_code.hpp"
#include "trace/markers.hpp"
#include "trace/translated_block.hpp"

#include <optional>
#include <utility>

class EventCode {
public:
  EventCode(TranslatedBlock& block, CostCode& costs) : block_(block), costs_(costs) {}

  // Whether events may wait: what the block does itself; and calls of the routine by it.
  bool may_wait();
  bool may_wait(RoutineId routine) { return may_wait() && block_.with.routine_may_wait(routine); }

  // That events are logged with.
  IRExpr* time() {
    return costs_.time(block_.with.count_instructions ? CostEvent::instructions
                                                      : CostEvent::basic_blocks);
  }
  // Logs an event of so many instructions before.
  void log(const event_log::LogSite& site, IRExpr* target = nullptr, u64 before = 0);
  // An event with the address where the block goes on, which is known only then.
  void log_or_deliver(const char* name, void (*deliver)(GuestAddr, GuestAddr, u64),
                      const event_log::LogSite& site);
  // Reports an event of trace/call_events.hpp now, which reads the clock.
  template <auto kEvent> void call(const char* name, IRExpr** arguments, IRExpr* guard = nullptr) {
    publish();
    auto* deliver =
        block_.with.code_may_wait == nullptr ? kEvent : event_log::AtOnce<kEvent>::deliver;
    ir::call(block_.out, name, reinterpret_cast<void*>(deliver), arguments, guard);
  }
  // Makes all right for a helper that comes next: the clock, and what was before.
  void publish() {
    report_marker();
    costs_.publish_clock();
  }

  struct PendingMarker {
    u32 kind = 0; // 0: none
    u64 location = 0;
    u64 seen = 0; // instructions, before it
  };
  // The present instruction is a marker.
  void marker(u32 kind);
  // Reports the marker that waits, if one does.
  void report_marker() {
    if (const PendingMarker pending = std::exchange(marker_, {}); pending.kind != 0)
      report(pending);
  }
  // The marker that comes with the next event, if `is_it` holds for its kind.
  template <typename F> PendingMarker take_marker(F is_it) {
    return is_it(marker_.kind) ? std::exchange(marker_, {}) : PendingMarker{};
  }
  u64 kind_and_since(const PendingMarker& marker) const {
    return ::kind_and_since(marker.kind, block_.seen - marker.seen);
  }

private:
  void report(const PendingMarker& marker);

  TranslatedBlock& block_;
  CostCode& costs_;
  std::optional<bool> may_wait_; // none: not asked yet
  PendingMarker marker_; // comes with the next event: a spawn's child, a return after a sync
};
