// Loops in the log: of calls of a leaf, those of the machine code, and parallel ones, whose
// iterations are open invocations.
#include "trace/loops/loop.hpp"
#include "work_span/log/log_reader_fast.hpp"

namespace shadow {

// The call has been read. It is again, as in a loop.
void LogReader::call_leaf_again(SiteId site, GuestAddr return_address, u32 called) {
  const Event* const first = event_ - 2;
  Work work = first[1].time - first->time;
  u64 calls = 1;
  // In a spawn the second call may show that the first was no child.
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

// The top one comes into another loop of its routine. An iteration that leaves the loop that it
// began in is the last one, and ends elsewhere than others.
bool LogReader::in_loop() {
  const LogSite& site = log_site();
  const Event& event = *event_++;
  if (site.routine != open_.top().routine)
    return true;
  if (!open_.empty() && open_.top().is_iteration())
    if (const Loop* around = innermost_loop(s_, span_);
        around != nullptr && !around->contains(site.loop))
      spill();
  if (!open_.empty() && add_step(event.kind_and_site(), event.time))
    return true;
  driver_.advance_to(event.time);
  driver_.in_loop(site);
  return true;
}

// Iterations of a loop in the engine's running frame are opened, each by itself.
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
    event_--; // the marker that begins the next one, or ends the loop
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

// The top one is an iteration, and ends with the next event.
void LogReader::end_iteration() {
  const KnownInvocation* known = known_by_steps();
  if (known == nullptr)
    return spill();
  driver_.advance_to(open_.top().began);
  open_.pop();
  driver_.repeat_iteration(*known);
}

} // namespace shadow
