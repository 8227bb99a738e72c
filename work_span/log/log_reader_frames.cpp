// The part of the log reader that handles frames of the engine, and tail calls, whose frames share
// a slot.
#include "trace/call_events.hpp"
#include "work_span/log/log_reader_fast.hpp"

namespace shadow {

bool LogReader::find_call_site(const LogSite& site) {
  if (site.caller != RoutineId::none)
    return false;
  const SiteTable::Known* known = known_site(site.address - 1, site.routine);
  if (known == nullptr)
    return false;
  site.caller = known->caller.routine;
  site.call_site = index(known->site);
  site.calls_child =
      site.location != 0 && known->location == site.location && known->origin().may_be_spawned();
  return true;
}

// Turns all open invocations into frames of the engine.
void LogReader::spill() {
  for (OpenInvocation* open = &open_.top(); open != &open_.bottom(); open--) {
    end_loops(*open, nullptr);
    open->end_pending(span_);
  }
  for (const OpenInvocation& open : open_) {
    if (open.is_iteration()) {
      driver_.advance_to(open.began);
      driver_.marker(log_sites_[Step::number(open.called)]);
    } else {
      begin_call(open.site(), open.called, open.began);
      enter(open.site(), open.routine, open.slot, open.return_address);
    }
    replay(driver_, open.steps + 1, open_.end_of_steps(open), log_sites_);
  }
  open_.clear();
  frames_changed();
}

void LogReader::frames_changed() {
  memory_.pending_version++;
  OpenInvocation& bottom = open_.bottom();
  bottom.opening = span_.frames.back().outermost ? 0 : OpenInvocation::kRoutinePending;
  bottom.slot = calls_.empty() ? 0 : calls_.top().slot;
  bottom.routine = calls_.empty() ? RoutineId::none : calls_.top().routine;
  bottom.loop = innermost_loop(s_, span_);
}

// The top frame returns with the next event.
void LogReader::leave() {
  driver_.advance_to(event_->time);
  calls_.leave();
  driver_.leave();
  if (s_.in_program)
    frames_changed();
}

// `syncs`: syncs before it returns. Also returns false if the program's own code has been left.
bool LogReader::return_of_frame(bool syncs) {
  if (!thread_.frames.back().returns_plainly() ||
      !calls_.is_plain_return(event_->target, event_->sp))
    return false;
  if (syncs) {
    driver_.advance_to(time_of_sync());
    driver_.marker(log_site());
  }
  leave();
  event_++;
  return s_.in_program;
}

// The return goes elsewhere than to the top invocation's return address. If the top was
// tail-called, it may go to that of the first caller in its slot, and then all of them return.
// Otherwise the event is not read here.
bool LogReader::return_of_chain() {
  const OpenInvocation* first = &open_.top();
  while (first != &open_.bottom() && first->is_tail_call())
    first--;
  auto tail_calls = &open_.top() - first;
  const bool is_open = first != &open_.bottom();
  if (is_open ? first->return_address != event_->target || first->slot >= event_->sp ||
                    event_->sp > first[-1].slot
              : !calls_.is_plain_return(event_->target, event_->sp) ||
                    !thread_.frames.back().returns_plainly()) {
    spill();
    return false;
  }
  if (event_->kind() == Kind::sync_return)
    add_sync();
  for (; tail_calls > 0 && !open_.empty(); tail_calls--)
    return_of_open();
  for (; tail_calls > 0; tail_calls--) // these have been spilled
    leave();
  if (open_.empty())
    return return_of_frame(false);
  return_of_open();
  event_++;
  return true;
}

// A jump to a routine's entry, with the stack pointer as at the entry of the jumping routine. No
// frame of that slot is of the routine.
bool LogReader::tail_call(RoutineId routine, GuestAddr site) {
  const OpenInvocation* open = &open_.top();
  if (event_->sp != open->slot || event_->sp == calls_.stub_slot())
    return false;
  while (open->routine != routine && open != &open_.bottom() && open->is_tail_call())
    open--;
  if (open->routine == routine ||
      (open == &open_.bottom() &&
       (calls_.depth() < 2 || calls_[calls_.depth() - 2].slot == event_->sp)))
    return false;
  const SiteTable::Known* known = known_site(site, routine);
  if (known == nullptr || !span_.pending.has_room(known->site, routine))
    return false;
  open_invocation(known->site, routine, 0, Step::at(Step::call_at, known->site));
  return true;
}

// Reads the stub's jump, too.
bool LogReader::jump_to_stub() {
  if (!is_stub_left())
    return false;
  const GuestAddr site = log_site().address;
  event_++;
  if (tail_call(event_->routine(), site))
    return true;
  event_--;
  return false;
}

bool LogReader::jump_within() {
  const OpenInvocation& top = open_.top();
  if (top.slot < event_->sp || routines->is_nameless_elsewhere(event_->target, top.routine))
    return false;
  event_++;
  return true;
}

// Returns null if it has too many sites, or if there are mistakes to count.
const KnownInvocation* LogReader::measure(const OpenInvocation& open, u64 hash) {
  const bool good =
      memory_.builder.build(memory_.known.next(), open, open_.end_of_steps(open), span_);
  return good ? memory_.known.keep(hash) : nullptr;
}

void count_repeats(State& s, const LogMemory& memory) {
  memory.known.for_each([&s](const KnownInvocation& known) {
    const u64 times = std::exchange(known.uncounted, 0);
    s.engine.count_repeats(known.summary, times);
    for (const InvocationSummary::OfSite& of : known.summary.sites)
      s.sites[of.site].spawned += times * of.spawned;
  });
}

} // namespace shadow
