// Reads a batch of the log (trace/event_log.hpp) for the engine: the calls, returns and markers of
// the program's own code in one thread. It sees what comes next, so that
// - a call that is directly followed by its return needs no frame;
// - the engine gets work only where something forks or joins, and in the end;
// - an invocation that begins and returns in the batch is converted to steps (steps.hpp), which the
//   engine executes only if no invocation with the same steps is known;
// - an invocation that begins with the events of a frequent known one is recognised by these.
//
// The results are equal to those of delivering each event by itself, number by number
// (tests/unit/log_reader_test.cpp). Everything that was read is in the engine's frames and in the
// call stack, so that delivery of single events can continue from there. O(1) per event.
#pragma once

#include "trace/call_stack.hpp"
#include "work_span/log/engine_driver.hpp"
#include "work_span/log/event_trie.hpp"
#include "work_span/log/known_invocations.hpp"
#include "work_span/log/open_invocations.hpp"
#include "work_span/log/steps.hpp"
#include "work_span/log/summary_builder.hpp"

namespace shadow {

// What is kept from batch to batch.
struct LogMemory {
  explicit LogMemory(State& s = *state) : builder(s) {}

  KnownInvocations known;
  EventTrie trie; // of their events
  Backoff backoff;
  u64 pending_version = 0; // incremented when the pending sites and routines of the thread change
  SummaryBuilder builder;
  OpenInvocations::Memory open; // used while a batch is read
};

class LogReader {
public:
  // Reads for the running thread, which must be in the program's own code.
  LogReader(State& s, LogMemory& memory, CallStack& calls, const event_log::Event* event,
            const event_log::Event* end, bool more_come);
  event_log::Taken read();

private:
  using Event = event_log::Event;
  using Kind = event_log::Kind;
  using LogSite = event_log::LogSite;

  // Each of these reads the next event, and possibly others that belong to it. They return false,
  // and do nothing, if the event must be delivered by itself.
  bool call();
  bool spawn_call();
  bool indirect_call();
  bool stub_call();
  template <Kind kKind> bool return_();
  bool marker();
  bool in_loop();
  bool is_leaf_loop(const Event* event, RoutineId routine, const Loop* around) const;
  void leaf_loops(const LogSite& site);
  void come_into(const LogSite& site);
  bool jump_within();
  bool jump_to_stub();
  bool tail_call(RoutineId routine, GuestAddr site);

  // `called`: the lower half of a step, for the kind of call.
  bool call_of(SiteId site, RoutineId routine, GuestAddr return_address, u32 called);
  bool begin(SiteId site, RoutineId routine, GuestAddr return_address, u32 called);
  void call_leaf(SiteId site, GuestAddr return_address, u32 called);
  const Event* end_of_leaf_with_loops(RoutineId routine, GuestAddr return_address) const;
  void call_leaf_with_loops(SiteId site, RoutineId routine, u32 called, const Event* end);
  void call_leaf_again(SiteId site, GuestAddr return_address, u32 called);
  void call_known(SiteId site, u32 called, u64 began, u64 ended, const KnownInvocation& known);
  bool return_of_chain();
  bool return_of_frame(bool syncs);
  void return_of_open();
  void plain_marker(const LogSite& site);
  bool loop_marker(const LogSite& site);
  void end_iteration();

  // Open invocations
  u64 opening_of(SiteId site, RoutineId routine) const;
  void open_invocation(SiteId site, RoutineId routine, GuestAddr return_address, u32 called);
  void open_invocation(u64 opening, RoutineId routine, u32 called, GuestAddr slot,
                       GuestAddr return_address);
  const KnownInvocation* known_by_events(u64 opening);
  const KnownInvocation* known_by_steps();
  const KnownInvocation* measure(const OpenInvocation& open, u64 hash);
  void spill();
  // Adds a step to the top invocation. If it does not fit, spills all and returns false.
  bool add_step(u32 what, u64 time) {
    if (open_.add_step(what, time)) [[likely]]
      return true;
    spill();
    return false;
  }
  bool add_leaf(u32 what, SiteId site, u64 time) {
    if (!span_.pending.has_room(site)) [[unlikely]] {
      spill();
      return false;
    }
    return add_step(what | (span_.pending.sites[index(site)] ? 0 : Step::kTopSite), time);
  }
  bool add_sync();

  // Loops of open invocations are pending, as call sites are.
  bool begin_loops(OpenInvocation& open, const Loop& innermost);
  void end_loops(OpenInvocation& open, const Loop* innermost);

  // Frames of the engine
  void begin_call(SiteId site, u32 called, u64 time) {
    driver_.advance_to(time);
    before_call(driver_, called, site, log_sites_);
  }
  void enter(SiteId site, RoutineId routine, GuestAddr slot, GuestAddr return_address) {
    calls_.enter(routine, slot, return_address);
    driver_.enter(site, routine);
  }
  void leave();
  void frames_changed();
  void mark(const LogSite& site) { driver_.marker(marker_kind(site.marker), site.location); }

  const LogSite& log_site() const { return log_sites_[event_->log_site()]; }
  // Another routine may run the same code, in which case its call site differs.
  bool knows_call_site(const LogSite& site) {
    return site.caller == open_.top().routine || find_call_site(site);
  }
  bool find_call_site(const LogSite& site);
  const SiteTable::Known* known_site(GuestAddr call, RoutineId routine) const {
    return s_.sites.known({open_.top().routine, call}, routine);
  }
  // The time of the sync that the return is logged with.
  u64 time_of_sync() const { return event_->time - since_marker(s_, log_site()); }
  // Whether the stub that the next event enters is left by the event after it. Otherwise its symbol
  // must be bound.
  bool is_stub_left() const {
    return event_ + 1 != end_ && event_[1].kind() == Kind::stub_jump && event_[1].sp == event_->sp;
  }
  // Whether the call returns at once, to its return address.
  static bool is_leaf(const Event* call, GuestAddr return_address) {
    return call[1].kind() == Kind::return_ && call[1].target == return_address &&
           call[1].sp == call->sp + sizeof(GuestAddr);
  }

  State& s_;
  LogMemory& memory_;
  CallStack& calls_;
  Thread& thread_;
  SpanThread& span_;
  ThreadDriver driver_;
  OpenInvocations open_;
  const LogSite* const log_sites_ = event_log::log_sites();
  const Event* event_;
  const Event* const end_;
  const bool more_come_;
  bool waits_ = false; // for more events than there are
};

// Reads events of the running thread, whose call stack is `calls`; see sink::take_batch. Reads none
// if the thread is not in the program's own code.
event_log::Taken read_log(State& s, LogMemory& memory, CallStack& calls,
                          const event_log::Event* event, const event_log::Event* end,
                          bool more_come);

// Call before results are taken: adds the counts of known invocations as often as they were
// repeated.
void count_repeats(State& s, const LogMemory& memory);

} // namespace shadow
