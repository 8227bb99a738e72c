#include "trace/event_log.hpp"

#include "base/address_map.hpp"
#include "base/check.hpp"
#include "base/vector.hpp"
#include "trace/call_events.hpp"
#include "trace/loops/loop_jumps.hpp"
#include "trace/markers.hpp"
#include "trace/sink.hpp"
#include "trace/stacks.hpp"

#include <utility>

namespace event_log {

namespace {

u64* clock;
bool (*may_wait)(RoutineId);
Vector<LogSite>* sites;
AddressMap<u32>* latest_site; // the number of the latest log site, by address and kind

u32 number_of(const LogSite& site) {
  const u64 key = site.address << Event::kKindBits | static_cast<u64>(site.kind);
  u32* const latest = latest_site->find(key);
  if (latest != nullptr) {
    const LogSite& known = (*sites)[*latest];
    if (known.routine == site.routine && known.marker == site.marker &&
        known.location == site.location && known.loop == site.loop &&
        known.is_condition == site.is_condition)
      return *latest;
  }
  const auto number = static_cast<u32>(sites->size());
  CHECK(number >> (32 - Event::kKindBits) == 0);
  sites->push_back(site);
  if (latest != nullptr)
    *latest = number;
  else
    latest_site->insert(key, number);
  return number;
}

const LogSite& site_of(u64 kind_and_site) { return (*sites)[kind_and_site >> Event::kKindBits]; }

} // namespace

Event log[kEvents];
Event* next = log;

void start(u64& of, bool (*routine_may_wait)(RoutineId)) {
  clock = &of;
  may_wait = routine_may_wait;
  sites = create<Vector<LogSite>>("trace.log_sites", "trace.log_sites");
  latest_site = create<AddressMap<u32>>("trace.log_sites", "trace.log_sites");
}

u32 kind_and_site(const LogSite& site) {
  return number_of(site) << Event::kKindBits | static_cast<u32>(site.kind);
}

const LogSite* log_sites() { return sites->begin(); }

namespace {

void deliver(const Event& event) {
  const LogSite& site = (*sites)[event.log_site()];
  *clock = event.time;
  switch (site.kind) {
  case Kind::call: event_call(site.routine, event.sp, site.address); return;
  case Kind::spawn_call:
    event_marker(site.marker, site.location);
    event_call(site.routine, event.sp, site.address);
    return;
  case Kind::sync_return:
    event_marker(site.marker, site.location);
    event_return(event.target, event.sp, site.address);
    return;
  case Kind::return_: event_return(event.target, event.sp, site.address); return;
  case Kind::marker: event_marker(site.marker, site.location); return;
  case Kind::call_indirect: event_call(event.routine(), event.sp, site.address); return;
  case Kind::call_stub: event_call_stub(event.sp, site.address); return;
  case Kind::stub_jump: event_stub_jump(event.target, event.sp, site.address); return;
  case Kind::jump_to_stub: event_jump_to_stub(event.sp, site.address); return;
  case Kind::jump_to_entry: event_jump_to_entry(site.routine, event.sp, site.address); return;
  case Kind::in_loop:
    if (site.is_iteration())
      sink::iteration(*site.loop);
    else if (site.is_condition)
      sink::loop(*site.loop);
    else
      sink::in_loop(site.loop, site.routine);
    return;
  case Kind::jump_within: event_jump(event.target, event.sp, site.address); return;
  }
}

void drain(bool more_come) {
  const Event* event = log;
  const Event* const end = std::exchange(next, log);
  const u64 now = *clock;
  while (event != end) {
    const Taken taken = sink::take_batch(threads::current->calls, event, end, more_come);
    event = taken.until;
    if (taken.rest_waits) {
      CHECK(end - event <= kEvents / 2);
      while (event != end)
        *next++ = *event++;
    } else if (event != end) {
      deliver(*event++);
    }
  }
  *clock = now;
}

} // namespace

void log_is_full() { drain(true); }
void drain() { drain(false); }

namespace {

void add(u64 kind_and_site, RoutineId routine, GuestAddr sp, GuestAddr target) {
  *next++ = {Event::what_of(static_cast<u32>(kind_and_site), routine), sp, *clock, target};
  if (next == log + kEvents)
    log_is_full();
}

// Returns false if the call must not wait.
[[gnu::always_inline]] inline bool add_call(u64 kind_and_site, GuestAddr sp, GuestAddr target) {
  const LogSite& site = site_of(kind_and_site);
  if (site.target != target || site.called == RoutineId::none) [[unlikely]] {
    if (threads::current->is_undecided)
      return false;
    const RoutineId routine = routines->called(target);
    if (!may_wait(routine))
      return false;
    site.target = target;
    site.called = routine;
  }
  add(kind_and_site, site.called, sp, target);
  return true;
}

} // namespace

void call_indirect(GuestAddr target, GuestAddr sp, u64 kind_and_site) {
  if (add_call(kind_and_site, sp, target)) [[likely]]
    return;
  flush();
  event_call_indirect(target, sp, site_of(kind_and_site).address);
}

void stub_jump(GuestAddr target, GuestAddr sp, u64 kind_and_site) {
  if (add_call(kind_and_site, sp, target)) [[likely]]
    return;
  flush();
  event_stub_jump(target, sp, site_of(kind_and_site).address);
}

void jump(GuestAddr target, GuestAddr sp, u64 kind_and_site) {
  loop_events::latest_jump = {site_of(kind_and_site).address, target};
  if (routines->at_entry(target) == RoutineId::none)
    return add(kind_and_site, RoutineId::none, sp, target);
  flush();
  event_jump(target, sp, site_of(kind_and_site).address);
}

void forget_targets() {
  if (sites != nullptr)
    for (LogSite& site : *sites)
      site.called = RoutineId::none;
}

} // namespace event_log
