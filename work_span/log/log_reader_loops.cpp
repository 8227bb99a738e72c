// The part of the log reader that handles loops: of calls of a leaf, of the machine code, and
// parallel loops, whose iterations are open invocations.
#include "trace/loops/loop.hpp"
#include "work_span/log/log_reader_fast.hpp"

namespace shadow {

// A call that was just read is repeated, as in a loop.
void LogReader::call_leaf_again(SiteId site, GuestAddr return_address, u32 called) {
  const Event* const first = event_ - 2;
  Work work = first[1].time - first->time;
  u64 calls = 1;
  // In a spawn, the second call may show that the first was no child.
  const bool one_by_one = open_.empty() ? CilkRegions::in_spawn(span_)
                                        : open_.top().is_in_spawn(s_.sites[site].origin.location);
  if (!one_by_one)
    for (; end_ - event_ >= 2 && event_->what == first->what && event_->sp == first->sp &&
           event_->kind() != Kind::stub_jump && is_leaf(event_, return_address);
         event_ += 2) {
      work += event_[1].time - event_->time;
      calls++;
    }
  const u64 until = event_[-1].time;
  if (!open_.empty()) {
    if (add_leaf(Step::at(Step::leaves_at, site), site, first->time)) {
      open_.add_word(work);
      open_.add_word(calls);
      open_.add_word(until - first->time - work);
      open_.top().latest = until;
      return;
    }
  }
  begin_call(site, called, first->time);
  driver_.call_leaves(site, calls, work, until);
}

// The top invocation enters another loop of its routine. An iteration that leaves the loop in which
// it began is the last one, and ends differently from others.
bool LogReader::in_loop() {
  const LogSite& site = log_site();
  // Only a frame that a run-time library has called has iterations of interest: see divided_loops.
  if (site.routine != open_.top().routine || (site.is_iteration() && !open_.empty())) {
    event_++;
    return true;
  }
  if (site.is_iteration()) {
    driver_.advance_to(event_++->time);
    driver_.iteration(*site.loop);
    return true;
  }
  if (!open_.empty() && open_.top().is_iteration())
    if (const Loop* around = open_.top().began_in;
        around != nullptr && !around->contains(site.loop))
      spill();
  if (is_leaf_loop(event_, site.routine, open_.top().loop))
    leaf_loops(site);
  else
    come_into(site);
  return true;
}

// Whether the event begins an execution that the next event ends, with nothing in between.
bool LogReader::is_leaf_loop(const Event* event, RoutineId routine, const Loop* around) const {
  if (end_ - event < 2 || event->kind() != Kind::in_loop || event[1].kind() != Kind::in_loop)
    return false;
  const LogSite& site = log_sites_[event->log_site()];
  const LogSite& next = log_sites_[event[1].log_site()];
  return site.routine == routine && !site.is_condition && site.loop != nullptr &&
         site.loop->parent == around && next.routine == routine &&
         !site.loop->contains(next.loop) && !next.is_iteration();
}

// Finds the return of the call that is the next event. Returns null if there is more between them
// than a few such executions, none of them within another loop.
const LogReader::Event* LogReader::end_of_leaf_with_loops(RoutineId routine,
                                                          GuestAddr return_address) const {
  constexpr int kFew = 4;
  const Event* event = event_ + 1;
  for (int i = 0; i < kFew && is_leaf_loop(event, routine, nullptr); i++) {
    event++;
    if (log_sites_[event->log_site()].loop != nullptr)
      continue;
    event++;
    if (event != end_ && event->kind() == Kind::return_ && event->target == return_address &&
        event->sp == event_->sp + sizeof(GuestAddr) && event->sp <= open_.top().slot)
      return event;
  }
  return nullptr;
}

// The call needs no frame, because no open invocation could be summarised.
void LogReader::call_leaf_with_loops(SiteId site, RoutineId routine, u32 called, const Event* end) {
  const Event& call = *event_++;
  begin_call(site, called, call.time);
  Work in_loops = 0;
  while (event_ != end) {
    const Loop& loop = *log_site().loop;
    const Work amount = event_[1].time - event_->time;
    event_++;
    if (log_site().loop == nullptr)
      event_++;
    driver_.loop_of_leaf(site, routine, loop, amount);
    driver_.note_execution(loop, amount);
    in_loops += amount;
  }
  event_++;
  driver_.call_leaves(site, 1, end->time - call.time, end->time, in_loops);
}

// Reads the executions that follow it in the same outer loop, too.
void LogReader::leaf_loops(const LogSite& site) {
  const Event* const first = event_++;
  Work work = event_->time - first->time;
  Work largest = work;
  u64 until = event_->time;
  u64 executions = 1;
  if (log_site().loop == site.loop->parent)
    for (event_++;
         end_ - event_ >= 2 && event_->what == first->what && event_[1].what == first[1].what;
         event_ += 2) {
      until = event_[1].time;
      work += until - event_->time;
      largest = std::max(largest, until - event_->time);
      executions++;
    }
  driver_.note_execution(*site.loop, largest);
  if (!open_.empty()) {
    const u32 step = Step::at_log_site(Step::leaf_loops, first->log_site());
    if (add_leaf(step, s_.sites.of(*site.loop), first->time)) {
      open_.add_word(work);
      open_.add_word(executions);
      open_.add_word(until - first->time - work);
      open_.top().latest = until;
      return;
    }
  }
  driver_.advance_to(first->time);
  driver_.leaf_loops(*site.loop, executions, work, until);
}

void LogReader::come_into(const LogSite& site) {
  const Event& event = *event_++;
  OpenInvocation& top = open_.top();
  if (!open_.empty()) {
    const Loop* const innermost = site.innermost_loop(top.loop);
    end_loops(top, innermost);
    const bool fits = innermost == nullptr || begin_loops(top, *innermost);
    memory_.pending_version++;
    if (!fits)
      spill();
    else if (add_step(event.kind_and_site() | (top.is_top_loop() ? Step::kTopSite : 0), event.time))
      return;
  }
  driver_.advance_to(event.time);
  driver_.in_loop(site);
  open_.bottom().loop = innermost_loop(s_, span_);
}

// Also begins outer loops that are not running yet. Returns false if there is no room, or if the
// loops differ in whether another execution of them is pending, which one step cannot express.
bool LogReader::begin_loops(OpenInvocation& open, const Loop& innermost) {
  if (open.loop == &innermost)
    return true;
  const bool begins_outer = innermost.parent != open.loop;
  if (begins_outer && !begin_loops(open, *innermost.parent))
    return false;
  const SiteId site = s_.sites.of(innermost);
  if (!span_.pending.has_room(site) || !open.has_room_for_loop())
    return false;
  const bool top_of_outer = open.is_top_loop();
  open.begin_loop(innermost, !std::exchange(span_.pending.sites[index(site)], true));
  return !begins_outer || open.is_top_loop() == top_of_outer;
}

// Ends those loops of the invocation that do not contain `innermost`.
void LogReader::end_loops(OpenInvocation& open, const Loop* innermost) {
  while (open.loop != nullptr && open.loop != open.began_in && !open.loop->contains(innermost)) {
    span_.pending.sites[index(s_.sites.of(*open.loop))] = !open.is_top_loop();
    open.end_loop();
  }
}

// Opens each iteration of a loop in the engine's running frame by itself.
bool LogReader::loop_marker(const LogSite& site) {
  const Marker marker{marker_kind(site.marker)};
  if (!open_.empty() && open_.top().is_iteration()) {
    if (marker == Marker::for_begin)
      spill();
    else
      end_iteration();
  }
  if (!open_.empty() || marker != Marker::for_iteration || !CilkRegions::in_parallel_loop(span_) ||
      !memory_.backoff.allows(event_->log_site())) {
    plain_marker(site);
    return true;
  }
  const OpenInvocation& bottom = open_.bottom();
  const u64 opening = OpenInvocation::opening_of_iteration(
      event_->log_site(), bottom.routine, (bottom.opening & OpenInvocation::kRoutinePending) != 0);
  for (;;) {
    const Event& begin = *event_;
    const KnownInvocation* known = known_by_events(opening);
    if (known == nullptr)
      break;
    // The marker that begins the next iteration, or ends the loop.
    event_--;
    memory_.backoff.count(begin.log_site(), true);
    driver_.advance_to(begin.time);
    driver_.repeat_iteration(*known);
    if (event_->what != begin.what)
      return true;
  }
  if (waits_)
    return false;
  open_invocation(opening, bottom.routine, event_->kind_and_site(), bottom.slot,
                  OpenInvocation::kNoAddress);
  return true;
}

// The top invocation is an iteration, and ends with the next event.
void LogReader::end_iteration() {
  end_loops(open_.top(), nullptr);
  const KnownInvocation* known = known_by_steps();
  if (known == nullptr)
    return spill();
  driver_.advance_to(open_.top().began);
  open_.pop();
  driver_.repeat_iteration(*known);
}

} // namespace shadow
