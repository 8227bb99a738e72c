// The log of calls, returns and markers. Translated code writes down what happened where and when;
// the sink gets many events at once: when the log is full, before an event that is delivered when
// it happens, and whenever translated code is left. So the sink sees what comes next.
//
// Only what needs nothing of the client's state is logged; the tool says of which routines' calls
// that holds (Instrumentation::routine_may_wait). Events reach the sink in their order.
//
// Owns the log and the log sites. An event costs translated code some ten instructions. Knows
// nothing of Valgrind; trace/event_log_code.hpp is what puts it into translated code.
#pragma once

#include "trace/logged_event.hpp"
#include "trace/loops/loop.hpp"

namespace event_log {

// A place in the client's code that logs events, with all that is known when it is translated.
struct LogSite {
  Kind kind;
  RoutineId routine = RoutineId::none; // called or jumped to
  GuestAddr address = 0;               // a call's return address; otherwise within the instruction
  u64 marker = 0;                      // kind and since, as event_marker has them
  u64 location = 0;                    // the marker's in the source, as sink::marker_location says
  Loop* loop = nullptr;                // the innermost that control is in, of `routine`; null: none
  bool is_condition = false;           // of that loop, whose body may not have begun
  mutable RoutineId caller = RoutineId::none; // of the sink's call site; none: not known yet
  mutable u32 call_site = 0;                  // the sink's number of it, if that is known
  mutable bool calls_child = false;           // the sink's: this call is surely the spawned child
  // Of the latest event, if that and its routine may wait; otherwise none is called.
  mutable GuestAddr target = 0;
  mutable RoutineId called = RoutineId::none;

  // The innermost loop that control is in there, coming from `before`; null: none.
  const Loop* innermost_loop(const Loop* before) const {
    return is_condition ? loop->at_condition(before) : loop;
  }
};

// What the times are of, and which routines' calls may wait; before the client starts.
void keep(u64& clock, bool (*routine_may_wait)(RoutineId routine));

// A log site's number with its kind, as events have it. Code that is translated again gets the
// numbers that it had.
u32 kind_and_site(const LogSite& site);
// By number; valid until another is added.
const LogSite* log_sites();

constexpr unsigned kEvents = 2048;
extern Event* next;
extern Event log[];

void log_is_full(); // translated code calls it once `next` is the log's end
void drain();
inline void flush() {
  if (next != log)
    drain();
}

// Calls and jumps to an address that is known only now: logged, or delivered now if the routine
// there may not wait.
void call_indirect(GuestAddr target, GuestAddr sp, u64 kind_and_site);
void stub_jump(GuestAddr target, GuestAddr sp, u64 kind_and_site);
void jump(GuestAddr target, GuestAddr sp, u64 kind_and_site);
void forget_targets(); // other code may be at their addresses

// Control is in the loop of the log site now.
inline void in_loop(u32 kind_and_site, GuestAddr sp, u64 time) {
  *next++ = {kind_and_site, sp, time, 0};
  if (next == log + kEvents) [[unlikely]]
    log_is_full();
}

// An event that is delivered when it happens, where others are logged.
template <auto kEvent> struct AtOnce;
template <typename... Arguments, void (*kEvent)(Arguments...)> struct AtOnce<kEvent> {
  static void deliver(Arguments... arguments) {
    flush();
    kEvent(arguments...);
  }
};

} // namespace event_log
