// Calls, returns and markers that are told later: translated code but writes down what happened
// where and when, and all of it is told at once, in its order: when the log is full, before what is
// told at its time, and whenever translated code is left. The sink then sees what comes next.
//
// Only what needs nothing of the client's state may wait; the tool says of which routines' calls
// that holds (Instrumentation::routine_may_wait).
#pragma once

#include "base/valgrind.hpp"
#include "trace/logged_event.hpp"

namespace event_log {

// A place in the client's code that has events, with all that is known when it is translated.
struct Point {
  Kind kind;
  RoutineId routine = RoutineId::none; // called or jumped to
  GuestAddr address = 0;               // a call's return address; otherwise within the instruction
  u64 marker = 0;                      // kind and since, as event_marker has them
  u64 place = 0;                       // of the marker
  mutable u32 site = 0;          // the sink's: 1 + the number of a call's site; 0: not known yet
  mutable bool is_usual = false; // the same of a spawn: there is nothing else to look at
  mutable GuestAddr target = 0;  // of the latest event, if that and its routine may wait
  mutable RoutineId called = RoutineId::none;
};

// What the times are of, and who may wait; before the client starts.
void keep(u64& clock, bool (*routine_may_wait)(RoutineId routine));

// What translated code does: `target` null if its point knows.
void add(IRSB* block, const Point& point, IRExpr* sp, IRExpr* time, IRExpr* target);
// Calls and jumps to an address that is known only now, which may turn out to be told at once:
// returns a helper's arguments, (target, sp, point).
IRExpr** arguments(const Point& point, IRExpr* target, IRExpr* sp);
void call_indirect(GuestAddr target, GuestAddr sp, u64 point);
void stub_jump(GuestAddr target, GuestAddr sp, u64 point);
void jump(GuestAddr target, GuestAddr sp, u64 point);
// By that; valid until another is added.
const Point* points();
inline const Point& point_of(const Point* points, const Event& event) {
  return points[event.point()];
}

constexpr unsigned kEvents = 2048;
extern Event* next;
extern Event log[];

void tell_all();
inline void flush() {
  if (next != log)
    tell_all();
}
void code_stops(); // translated code is left: all is told, and what is where may change

// An event that is told at its time, where others may be told later.
template <auto kEvent> struct AtOnce;
template <typename... Arguments, void (*kEvent)(Arguments...)> struct AtOnce<kEvent> {
  static void tell(Arguments... arguments) {
    flush();
    kEvent(arguments...);
  }
};

} // namespace event_log
