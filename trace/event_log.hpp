// The log of calls, returns and markers. Translated code appends an event: what happened, where and
// when. The sink gets the events in batches: when the log is full, before an event that cannot
// wait, and whenever translated code is left. So the sink sees what follows an event.
//
// Only events that do not depend on the client's state are logged;
// Instrumentation::routine_may_wait says for which routines that holds. The order of events is
// kept.
//
// Owns the log and the log sites. An event costs translated code some ten instructions. Independent
// of Valgrind; trace/event_log_code.hpp adds the code to translated blocks.
#pragma once

#include "trace/logged_event.hpp"
#include "trace/loops/loop.hpp"

namespace event_log {

// A place in the client's code that logs events, with everything known about it at translation.
struct LogSite {
  Kind kind;
  RoutineId routine = RoutineId::none; // called or jumped to
  GuestAddr address = 0;     // a call's return address; otherwise an address within the instruction
  u64 marker = 0;            // kind and distance, as for event_marker
  u64 location = 0;          // source location of the marker, by sink::marker_location
  Loop* loop = nullptr;      // innermost loop of `routine` there; null: none
  bool is_condition = false; // in that loop's condition; its body may not have begun
  mutable RoutineId caller = RoutineId::none; // the sink's; none: not known yet
  mutable u32 call_site = 0;                  // the sink's number of the call site, if known
  mutable bool calls_child = false;           // set by the sink: certainly calls the spawned child
  // Target and routine of the latest event, if that routine's events may wait; otherwise `called`
  // is none.
  mutable GuestAddr target = 0;
  mutable RoutineId called = RoutineId::none;

  // Of in_loop: the mark of an iteration of `loop` that begins.
  static constexpr u64 kIteration = 1 << 8;
  bool is_iteration() const { return kind == Kind::in_loop && marker == kIteration; }

  // The innermost loop that control is in at this site, if it was in `before`; null: none.
  const Loop* innermost_loop(const Loop* before) const {
    return is_condition ? loop->at_condition(before) : loop;
  }
};

// Call before the client starts. When the sink gets an event, `clock` is the time of that event.
void start(u64& clock, bool (*routine_may_wait)(RoutineId routine));

// Returns the log site's number combined with its kind, as events store it. Code that is translated
// again gets the same numbers.
u32 kind_and_site(const LogSite& site);
// By number; valid until another is added.
const LogSite* log_sites();

constexpr unsigned kEvents = 2048;
extern Event* next;
extern Event log[];

void log_is_full(); // called by translated code when `next` reaches the end
void drain();
inline void flush() {
  if (next != log)
    drain();
}

// Calls and jumps whose target is known only at run time: logged, or delivered at once if the
// routine's events must not wait.
void call_indirect(GuestAddr target, GuestAddr sp, u64 kind_and_site);
void stub_jump(GuestAddr target, GuestAddr sp, u64 kind_and_site);
void jump(GuestAddr target, GuestAddr sp, u64 kind_and_site);
void forget_targets(); // call when other code may be at the same addresses

// Logs that control is in the loop of the log site.
inline void in_loop(u32 kind_and_site, GuestAddr sp, u64 time) {
  *next++ = {kind_and_site, sp, time, 0};
  if (next == log + kEvents) [[unlikely]]
    log_is_full();
}

// Wraps an event that is delivered at once where others are logged.
template <auto kEvent> struct AtOnce;
template <typename... Arguments, void (*kEvent)(Arguments...)> struct AtOnce<kEvent> {
  static void deliver(Arguments... arguments) {
    flush();
    kEvent(arguments...);
  }
};

} // namespace event_log
