#include "work_span/log/log_reader_fast.hpp"

namespace shadow {

LogReader::LogReader(State& s, LogMemory& memory, CallStack& calls, const Event* event,
                     const Event* end, bool more_come)
    : s_(s), memory_(memory), calls_(calls), thread_(*s.running), span_(*thread_.span),
      driver_(s, thread_), open_(memory.open), event_(event), end_(end), more_come_(more_come) {
  frames_changed();
}

// Calls

[[gnu::always_inline]] inline bool LogReader::call() {
  const LogSite& site = log_site();
  if (!knows_call_site(site)) [[unlikely]]
    return false;
  return call_of(SiteId{site.call_site}, site.routine, site.address, event_->kind_and_site());
}

[[gnu::always_inline]] inline bool LogReader::spawn_call() {
  const LogSite& site = log_site();
  if (!knows_call_site(site)) [[unlikely]]
    return false;
  if (!site.calls_child || open_.top().slot <= event_->sp)
    return false;
  open_.top().pass(Marker{marker_kind(site.marker)}, site.location);
  return begin(SiteId{site.call_site}, site.routine, site.address, event_->kind_and_site());
}

bool LogReader::indirect_call() {
  const GuestAddr return_address = log_site().address;
  const SiteTable::Known* known = known_site(return_address - 1, event_->routine());
  return known != nullptr && call_of(known->site, event_->routine(), return_address,
                                     Step::at(Step::call_at, known->site));
}

// Reads the stub's jump, too.
bool LogReader::stub_call() {
  if (!is_stub_left())
    return false;
  const GuestAddr return_address = log_site().address;
  const RoutineId routine = (++event_)->routine();
  if (const SiteTable::Known* known = known_site(return_address - 1, routine);
      known != nullptr &&
      call_of(known->site, routine, return_address, Step::at(Step::call_at, known->site))) {
    calls_.leave_stub();
    return true;
  }
  event_--;
  return false;
}

[[gnu::always_inline]] inline bool LogReader::call_of(SiteId site, RoutineId routine,
                                                      GuestAddr return_address, u32 called) {
  return open_.top().slot > event_->sp && begin(site, routine, return_address, called);
}

[[gnu::always_inline]] inline bool LogReader::begin(SiteId site, RoutineId routine,
                                                    GuestAddr return_address, u32 called) {
  if (event_ + 1 != end_ && is_leaf(event_, return_address) && event_[1].sp <= open_.top().slot) {
    call_leaf(site, return_address, called);
    return true;
  }
  if (open_.empty() && event_ + 1 != end_ && event_[1].kind() == Kind::in_loop)
    if (const Event* const end = end_of_leaf_with_loops(routine, return_address); end != nullptr) {
      call_leaf_with_loops(site, routine, called, end);
      return true;
    }
  if (!span_.pending.has_room(site, routine) || !memory_.backoff.allows(index(site))) [[unlikely]] {
    if (!open_.empty())
      spill();
    begin_call(site, called, event_->time);
    enter(site, routine, event_->sp, return_address);
    frames_changed();
    event_++;
    return true;
  }
  const Event& call = *event_;
  if (const KnownInvocation* known = known_by_events(opening_of(site, routine)); known != nullptr) {
    memory_.backoff.count(index(site), true);
    call_known(site, called, call.time, event_[-1].time, *known);
    return true;
  }
  if (waits_) [[unlikely]]
    return false;
  open_invocation(site, routine, return_address, called);
  return true;
}

[[gnu::always_inline]] inline void LogReader::call_leaf(SiteId site, GuestAddr return_address,
                                                        u32 called) {
  const Event* const call = event_;
  event_ += 2;
  if (end_ - event_ >= 2 && event_->what == call->what && is_leaf(event_, return_address) &&
      Step::operation(called) != Step::spawn_call)
    return call_leaf_again(site, return_address, called);
  const Work work = call[1].time - call->time;
  if (!open_.empty()) [[likely]] {
    if (add_leaf(called | Step::kLeaf, site, call->time)) [[likely]] {
      open_.add_word(work);
      open_.top().latest = call[1].time;
      return;
    }
  }
  begin_call(site, called, call->time);
  driver_.call_leaves(site, 1, work, call[1].time);
}

// Returns

template <event_log::Kind kKind> [[gnu::always_inline]] inline bool LogReader::return_() {
  constexpr bool kSyncs = kKind == Kind::sync_return;
  if (open_.empty()) [[unlikely]]
    return return_of_frame(kSyncs);
  const OpenInvocation& top = open_.top();
  if (top.return_address != event_->target || top.slot >= event_->sp ||
      event_->sp > open_.beneath().slot) [[unlikely]]
    return return_of_chain();
  if (kSyncs && !add_sync()) [[unlikely]]
    return return_of_frame(false);
  return_of_open();
  event_++;
  return true;
}

// Markers

[[gnu::always_inline]] inline bool LogReader::marker() {
  const LogSite& site = log_site();
  if (is_of_loop(marker_kind(site.marker)))
    return loop_marker(site);
  plain_marker(site);
  return true;
}

event_log::Taken LogReader::read() {
  bool has_read = true;
  while (has_read && event_ != end_) {
    switch (event_->kind()) {
    case Kind::call: has_read = call(); break;
    case Kind::spawn_call: has_read = spawn_call(); break;
    case Kind::return_: has_read = return_<Kind::return_>(); break;
    case Kind::sync_return: has_read = return_<Kind::sync_return>(); break;
    case Kind::marker: has_read = marker(); break;
    case Kind::in_loop: has_read = in_loop(); break;
    case Kind::call_indirect: has_read = indirect_call(); break;
    case Kind::call_stub: has_read = stub_call(); break;
    case Kind::jump_within: has_read = jump_within(); break;
    case Kind::jump_to_stub: has_read = jump_to_stub(); break;
    case Kind::stub_jump: has_read = tail_call(event_->routine(), log_site().address); break;
    case Kind::jump_to_entry: has_read = tail_call(log_site().routine, log_site().address); break;
    }
  }
  if (!open_.empty())
    spill();
  if (s_.in_program)
    driver_.account();
  return {event_, waits_};
}

event_log::Taken read_log(State& s, LogMemory& memory, CallStack& calls,
                          const event_log::Event* event, const event_log::Event* end,
                          bool more_come) {
  if (!s.in_program || !s.collection.is_on || *s.settings.not_work != s.accounted_not_work)
    return {event};
  if (memory.known.is_full()) {
    count_repeats(s, memory);
    memory.trie.forget();
    memory.known.forget();
  }
  return LogReader(s, memory, calls, event, end, more_come).read();
}

} // namespace shadow
