// Functions that several files of the log reader call for nearly every event, to be inlined.
#pragma once

#include "work_span/log/log_reader.hpp"

namespace shadow {

[[gnu::always_inline]] inline u64 LogReader::opening_of(SiteId site, RoutineId routine) const {
  const PendingTable& pending = span_.pending;
  const bool caller_pending = (open_.top().opening & OpenInvocation::kRoutinePending) != 0;
  return u64{index(site)} << OpenInvocation::kFlagBits |
         (pending.sites[index(site)] ? OpenInvocation::kSitePending : 0) |
         (pending.routines[index(routine)] ? OpenInvocation::kRoutinePending : 0) |
         (caller_pending ? OpenInvocation::kCallerPending : 0);
}

[[gnu::always_inline]] inline void
LogReader::open_invocation(SiteId site, RoutineId routine, GuestAddr return_address, u32 called) {
  const u64 opening = opening_of(site, routine);
  span_.pending.begin_call(site, routine);
  memory_.pending_version++;
  open_invocation(opening, routine, called, event_->sp, return_address);
}

[[gnu::always_inline]] inline void LogReader::open_invocation(u64 opening, RoutineId routine,
                                                              u32 called, GuestAddr slot,
                                                              GuestAddr return_address) {
  open_.push(opening, *event_++, routine, called, slot, return_address);
}

// Returns the known invocation that consists of the next events, if there is one.
[[gnu::always_inline]] inline const KnownInvocation* LogReader::known_by_events(u64 opening) {
  const Event* after = event_;
  const KnownInvocation* known = memory_.trie.find(opening, after, end_);
  if (known == nullptr) {
    waits_ = after == end_ && more_come_;
    return nullptr;
  }
  if (after[-1].sp > open_.top().slot || calls_.stub_slot() != 0)
    return nullptr;
  if (known->fits_at != memory_.pending_version) {
    for (const KnownInvocation::Pending& of : known->pending)
      if (!span_.pending.has_room(of.site, of.routine) ||
          span_.pending.sites[index(of.site)] != of.site_pending ||
          span_.pending.routines[index(of.routine)] != of.routine_pending)
        return nullptr;
    known->fits_at = memory_.pending_version;
  }
  event_ = after;
  return known;
}

// The top invocation ends with the next event. Returns null if it is not known and not worth
// measuring yet.
[[gnu::always_inline]] inline const KnownInvocation* LogReader::known_by_steps() {
  constexpr u32 kFoundOften = 4;
  // Events; a loop of leaves is read faster than compared.
  constexpr u64 kMostPerStep = 2;
  const OpenInvocation& open = open_.top();
  open_.add_word(event_->time - open.latest);
  const auto words = static_cast<std::size_t>(open_.end_of_steps(open) - open.steps);
  const u64 hash = KnownInvocations::mixed(open.hash);
  const KnownInvocation* known = memory_.known.find(open.steps, words, hash);
  memory_.backoff.count(index(open.site()), known != nullptr);
  if (known == nullptr) [[unlikely]] {
    if (memory_.known.remember(hash) && !memory_.known.is_full())
      known = measure(open, hash);
    if (known == nullptr) {
      open_.remove_word();
      return nullptr;
    }
  }
  const auto events = static_cast<u64>(event_ - open.event);
  // ^After a tail call, the event also ends the caller.
  if (++known->found >= kFoundOften + events / 4 && !open.is_tail_call() &&
      events < kMostPerStep * known->all_steps) [[unlikely]]
    memory_.trie.add(open.opening, open.event, event_ + 1, *known);
  return known;
}

// Adds a known invocation to the one that called it.
[[gnu::always_inline]] inline void LogReader::call_known(SiteId site, u32 called, u64 began,
                                                         u64 ended, const KnownInvocation& known) {
  if (!open_.empty()) {
    if (add_step(called, began)) [[likely]] {
      open_.add_callee(known);
      open_.top().latest = ended;
      return;
    }
  }
  begin_call(site, called, began);
  driver_.repeat_invocation(known);
}

// Reads the sync that the return is logged with.
[[gnu::always_inline]] inline bool LogReader::add_sync() {
  if (add_step(Step::at_log_site(Step::marker, event_->log_site()), time_of_sync())) [[likely]]
    return true;
  driver_.advance_to(time_of_sync());
  driver_.marker(log_site());
  return false;
}

// The top invocation returns.
[[gnu::always_inline]] inline void LogReader::return_of_open() {
  OpenInvocation& open = open_.top();
  end_loops(open, nullptr);
  memory_.pending_version++;
  const KnownInvocation* known = known_by_steps();
  if (known == nullptr) [[unlikely]] {
    spill();
    leave();
    return;
  }
  open.end_pending(span_);
  open_.pop();
  call_known(open.site(), open.called, open.began, event_->time, *known);
}

[[gnu::always_inline]] inline void LogReader::plain_marker(const LogSite& site) {
  const Event& event = *event_++;
  if (!open_.empty()) [[likely]] {
    open_.top().pass(Marker{marker_kind(site.marker)}, OpenInvocation::kAnyLocation);
    if (add_step(event.kind_and_site(), event.time)) [[likely]]
      return;
  }
  driver_.advance_to(event.time);
  driver_.marker(site);
}

} // namespace shadow
