// Instruments a block to raise the events of the trace: to append them to the log
// (trace/event_log.hpp), or to call a function of trace/call_events.hpp if they must not wait.
//
// A marker that begins a spawn, or a sync, is reported together with the call or return that ends
// the block; if another event comes first, it is reported before that event. Owns the marker until
// then.
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

  // Whether the block's own events may wait, and whether its calls of the routine may.
  bool may_wait();
  bool may_wait(RoutineId routine) { return may_wait() && block_.with.routine_may_wait(routine); }

  // The time with which events are logged.
  IRExpr* time() {
    return costs_.time(block_.with.count_instructions ? CostEvent::instructions
                                                      : CostEvent::basic_blocks);
  }
  // Logs an event that happened `before` instructions ago.
  void log(const event_log::LogSite& site, IRExpr* target = nullptr, u64 before = 0);
  // An event with the block's target address, which is known only when the block ends.
  void log_or_deliver(const char* name, void (*deliver)(GuestAddr, GuestAddr, u64),
                      const event_log::LogSite& site);
  // Calls a function of trace/call_events.hpp at once; it reads the clock.
  template <auto kEvent> void call(const char* name, IRExpr** arguments, IRExpr* guard = nullptr) {
    publish();
    auto* deliver =
        block_.with.code_may_wait == nullptr ? kEvent : event_log::AtOnce<kEvent>::deliver;
    ir::call(block_.out, name, reinterpret_cast<void*>(deliver), arguments, guard);
  }
  // Publishes the clock and any pending marker, for a helper that is called next.
  void publish() {
    report_marker();
    costs_.publish_clock();
  }

  struct PendingMarker {
    u32 kind = 0; // 0: none
    u64 location = 0;
    u64 seen = 0; // instructions of the block before it
  };
  // The present instruction is a marker.
  void marker(u32 kind);
  // Reports the pending marker, if there is one.
  void report_marker() {
    if (const PendingMarker pending = std::exchange(marker_, {}); pending.kind != 0)
      report(pending);
  }
  // Returns the pending marker, to be reported with the next event, if `is_it` holds for its kind.
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
  std::optional<bool> may_wait_; // none: not determined yet
  PendingMarker marker_;         // a spawn before its child's call, or a sync before the return
};
