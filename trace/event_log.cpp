#include "trace/event_log.hpp"

#include "base/address_map.hpp"
#include "base/check.hpp"
#include "base/vector.hpp"
#include "trace/call_events.hpp"
#include "trace/ir.hpp"
#include "trace/markers.hpp"
#include "trace/sink.hpp"
#include "trace/threads.hpp"

#include <utility>

namespace event_log {

namespace {

u64* clock;
bool (*may_wait)(RoutineId);
Vector<Point>* all_points;
AddressMap<u32>* point_at; // by address and kind, the latest

// Code that is translated again has the same points.
u32 number_of(const Point& point) {
  const u64 key = point.address << Event::kKindBits | static_cast<u64>(point.kind);
  u32* const latest = point_at->find(key);
  if (latest != nullptr) {
    const Point& known = (*all_points)[*latest];
    if (known.routine == point.routine && known.marker == point.marker &&
        known.place == point.place)
      return *latest;
  }
  const auto number = static_cast<u32>(all_points->size());
  CHECK(number >> (32 - Event::kKindBits) == 0);
  all_points->push_back(point);
  if (latest != nullptr)
    *latest = number;
  else
    point_at->insert(key, number);
  return number;
}

u32 kind_and_point(const Point& point) {
  return number_of(point) << Event::kKindBits | static_cast<u32>(point.kind);
}

} // namespace

Event log[kEvents];
Event* next = log;

void keep(u64& of, bool (*routine_may_wait)(RoutineId)) {
  clock = &of;
  may_wait = routine_may_wait;
  all_points = create<Vector<Point>>("trace.points", "trace.points");
  point_at = create<AddressMap<u32>>("trace.points", "trace.points");
}

const Point* points() { return all_points->begin(); }

namespace {

void tell(const Event& event) {
  const Point& point = point_of(points(), event);
  *clock = event.time;
  switch (point.kind) {
  case Kind::call: event_call(point.routine, event.sp, point.address); return;
  case Kind::spawn_call:
    event_marker(point.marker, point.place);
    event_call(point.routine, event.sp, point.address);
    return;
  case Kind::sync_return:
    event_marker(point.marker, point.place);
    event_return(event.target, event.sp, point.address);
    return;
  case Kind::return_: event_return(event.target, event.sp, point.address); return;
  case Kind::marker: event_marker(point.marker, point.place); return;
  case Kind::call_indirect: event_call(event.routine(), event.sp, point.address); return;
  case Kind::call_stub: event_call_stub(event.sp, point.address); return;
  case Kind::stub_jump: event_stub_jump(event.target, event.sp, point.address); return;
  case Kind::jump_to_entry: event_jump_to_entry(point.routine, event.sp, point.address); return;
  case Kind::jump_within: event_jump(event.target, event.sp, point.address); return;
  }
}

void tell_from_first(bool more_come) {
  const Event* event = log;
  const Event* const end = std::exchange(next, log);
  const u64 now = *clock;
  while (event != end) {
    const Told told = sink::tell_usual(threads::current->calls, event, end, more_come);
    event = told.until;
    if (told.waits) {
      CHECK(end - event <= kEvents / 2);
      while (event != end)
        *next++ = *event++;
    } else if (event != end) {
      tell(*event++);
    }
  }
  *clock = now;
}

void log_is_full() { tell_from_first(true); }

} // namespace

void tell_all() { tell_from_first(false); }

void add(IRSB* block, const Point& point, IRExpr* sp, IRExpr* time, IRExpr* target) {
  const auto at = [block](IRExpr* event, std::size_t offset) {
    return offset == 0 ? event : ir::sum(block, event, offset);
  };
  const auto put = [&](IRExpr* event, std::size_t offset, IRExpr* value) {
    addStmtToIRSB(block, IRStmt_Store(Iend_LE, at(event, offset), value));
  };
  IRExpr* address = ir::constant(reinterpret_cast<u64>(&next));
  IRExpr* event = ir::assign(block, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, address));
  put(event, offsetof(Event, what), ir::constant(kind_and_point(point)));
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

IRExpr** arguments(const Point& point, IRExpr* target, IRExpr* sp) {
  return mkIRExprVec_3(target, sp, ir::constant(kind_and_point(point)));
}

namespace {

// By a helper.
void add(u64 kind_and_point, RoutineId routine, GuestAddr sp, GuestAddr target) {
  *next++ = {Event::what_of(static_cast<u32>(kind_and_point), routine), sp, *clock, target};
  if (next == log + kEvents)
    log_is_full();
}

GuestAddr address_of(u64 kind_and_point) {
  return (*all_points)[kind_and_point >> Event::kKindBits].address;
}

// False: it may not wait.
[[gnu::always_inline]] inline bool add_call(u64 kind_and_point, GuestAddr sp, GuestAddr target) {
  const Point& point = (*all_points)[kind_and_point >> Event::kKindBits];
  if (point.target != target) [[unlikely]] {
    const RoutineId routine = routines->called(target);
    if (!may_wait(routine))
      return false;
    point.target = target;
    point.called = routine;
  }
  add(kind_and_point, point.called, sp, target);
  return true;
}

} // namespace

void call_indirect(GuestAddr target, GuestAddr sp, u64 point) {
  if (add_call(point, sp, target)) [[likely]]
    return;
  flush();
  event_call_indirect(target, sp, address_of(point));
}

void stub_jump(GuestAddr target, GuestAddr sp, u64 point) {
  if (add_call(point, sp, target)) [[likely]]
    return;
  flush();
  event_stub_jump(target, sp, address_of(point));
}

void jump(GuestAddr target, GuestAddr sp, u64 point) {
  if (routines->at_entry(target) == RoutineId::none)
    return add(point, RoutineId::none, sp, target);
  flush();
  event_jump(target, sp, address_of(point));
}

void code_stops() {
  flush();
  static DiEpoch epoch;
  const DiEpoch now = VG_(current_DiEpoch)();
  if (now.n == epoch.n || all_points == nullptr)
    return;
  epoch = now;
  for (Point& point : *all_points)
    point.target = 0;
}

} // namespace event_log
