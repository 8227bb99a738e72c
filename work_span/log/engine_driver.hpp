// Drives an engine with what the program's own code does in one thread: calls, returns and markers,
// at times of the clock. Used both where each event is delivered when it happens (shadow.cpp), and
// where batches are read from the log (log_reader.hpp).
//
// Work is accounted late. Calls and returns pass on what has been executed since `accounted`; the
// engine gets it as work only where paths fork or join, and by account(). Owns the present time;
// everything else is the caller's. Independent of Valgrind.
#pragma once

#include "work_span/engine/cilk_regions.hpp"
#include "work_span/engine/work_span_fast.hpp"
#include "work_span/log/known_invocations.hpp"
#include "work_span/state/state.hpp"

#include <utility>

namespace shadow {

// How long before its event the marker was, for an event that is logged with one.
inline u64 since_marker(const State& s, const event_log::LogSite& site) {
  return s.settings.by_instruction ? marker_since(site.marker) : 0;
}

// The innermost loop that the thread's top frame is in; null: in none.
inline const Loop* innermost_loop(const State& s, const SpanThread& span) {
  return WorkSpan::is_in_loop(span) ? s.sites[WorkSpan::loop_of(span).site].loop : nullptr;
}

class EngineDriver {
public:
  // `built`: the summary that receives the counts by call site; null: the sites themselves.
  EngineDriver(State& s, WorkSpan& engine, CilkRegions& regions, SpanThread& span, u64& accounted,
               InvocationSummary* built = nullptr)
      : s_(s), engine_(engine), regions_(regions), span_(span), built_(built),
        accounted_(accounted), now_(accounted) {}

  u64 now() const { return now_; }
  void advance_to(u64 time) { now_ = time; }
  void account() { engine_.work_of_top(span_, now_ - std::exchange(accounted_, now_)); }

  // Call before a call from the top frame.
  [[gnu::always_inline]] void before_call(SiteId site) {
    if (CilkRegions::in_spawn(span_)) [[unlikely]] {
      account();
      if (regions_.before_call(span_, s_.sites[site].origin))
        count_spawned(site);
    }
  }
  // The same for a call that is the child of the spawn it is logged with.
  [[gnu::always_inline]] void before_spawned_call(SiteId site, const event_log::LogSite& spawn) {
    if (CilkRegions::in_spawn(span_)) [[unlikely]] {
      const u64 now = std::exchange(now_, now_ - since_marker(s_, spawn));
      account();
      regions_.before_marker(span_); // at the time of the marker
      now_ = now;
    }
    account();
    regions_.begin_spawned_call(span_, marker_kind(spawn.marker), spawn.location);
    count_spawned(site);
  }
  [[gnu::always_inline]] void call(SiteId site, RoutineId routine) {
    engine_.call(span_, site, routine, now_ - accounted_);
  }
  [[gnu::always_inline]] Invocation return_() {
    const SpanFrame& frame = span_.frames.back();
    if (frame.region != 0 || WorkSpan::is_open(frame)) {
      account();
      if (frame.region != 0)
        regions_.before_return(span_);
    }
    return engine_.return_from_top(span_, now_ - accounted_);
  }
  // Call after a return to the top frame.
  [[gnu::always_inline]] void after_return() {
    if (CilkRegions::in_spawn(span_)) {
      account();
      regions_.after_return(span_);
    }
  }
  [[gnu::always_inline]] void marker(const event_log::LogSite& site) {
    marker(marker_kind(site.marker), site.location);
  }
  [[gnu::always_inline]] void marker(u32 kind, SourceLocation location) {
    account();
    if (kind == static_cast<u32>(Marker::sync))
      regions_.sync(span_);
    else
      regions_.marker(span_, kind, location);
  }

  // Control is in that loop of the top frame's routine now; null: in none. Loops that do not
  // contain it have ended.
  void in_loop(const Loop* innermost);
  // The same at a loop's condition.
  void at_condition(const Loop& of) { in_loop(of.at_condition(innermost_loop(s_, span_))); }
  void in_loop(const event_log::LogSite& site) {
    in_loop(site.innermost_loop(innermost_loop(s_, span_)));
  }
  // An iteration of that loop of the top frame's routine begins.
  void iteration(const Loop& of);
  // Whole executions of a loop, in the loop that the top frame is in, which executed `work` and
  // called nothing. The last one ends before `until`.
  [[gnu::always_inline]] void leaf_loops(const Loop& loop, u64 executions, Work work, u64 until) {
    const SiteId site = s_.sites.of(loop);
    engine_.leaf_loops(span_, site, executions, work, now_ - accounted_);
    if (is_part(site)) [[unlikely]]
      engine_.note_parts(site, executions, work);
    now_ = until;
  }

  // One of the executions that leaf_loops reports took so much.
  void note_execution(const Loop& loop, Work amount) {
    engine_.note_execution(s_.sites.of(loop), amount);
  }

  // Whole calls of a leaf, after before_call, which executed `work`; the last one returns at
  // `until`. `in_loops` of it was in executions of loops that loop_of_leaf has reported.
  [[gnu::always_inline]] void call_leaves(SiteId site, u64 calls, Work work, u64 until,
                                          Work in_loops = 0) {
    engine_.call_leaves(span_, site, calls, work, in_loops);
    now_ = until;
    after_return();
  }
  void loop_of_leaf(SiteId site, RoutineId callee, const Loop& loop, Work work) {
    engine_.loop_of_leaf(span_, site, callee, s_.sites.of(loop), work);
  }
  // An invocation that does the same as a known one; likewise an iteration of the loop that the top
  // frame is in.
  void repeat_invocation(const KnownInvocation& known) {
    engine_.repeat_invocation(span_, known.summary);
    count(known);
    now_ += known.summary.work;
    after_return();
  }
  [[gnu::always_inline]] void repeat_iteration(const KnownInvocation& known) {
    if (accounted_ != now_)
      account();
    regions_.repeat_iteration(span_, known.summary);
    count(known);
    accounted_ = now_ += known.summary.work;
  }

protected:
  // The same if there may be no frame.
  void account_at_root() { engine_.work(span_, now_ - std::exchange(accounted_, now_)); }

  State& s_;

private:
  void end_loops_around(const Loop* innermost);
  void begin_loops(const Loop& innermost);
  // Whether an execution of that loop of the top frame's routine is a part of a parallel one.
  bool is_part(SiteId loop) const {
    return span_.frames.back().divides && !s_.sites[loop].is_of_library;
  }
  void count_spawned(SiteId site) {
    (built_ != nullptr ? built_->of(site).spawned : s_.sites[site].spawned)++;
  }
  void count(const KnownInvocation& known) {
    if (built_ == nullptr) {
      known.uncounted++;
      return;
    }
    engine_.count_repeats(known.summary, 1);
    for (const InvocationSummary::OfSite& of : known.summary.sites)
      built_->of(of.site).spawned += of.spawned;
  }

  WorkSpan& engine_;
  CilkRegions& regions_;
  SpanThread& span_;
  InvocationSummary* built_;
  u64& accounted_;
  u64 now_;
};

// Drives the shadow's engine with one of its threads. Pushes and pops the thread's own frames along
// with the engine's.
class ThreadDriver : public EngineDriver {
public:
  ThreadDriver(State& s, Thread& thread)
      : EngineDriver(s, s.engine, s.regions, *thread.span, s.accounted), thread_(thread) {}

  // The program calls a routine of its own, or of the system on its behalf.
  [[gnu::always_inline]] void enter(SiteId site, RoutineId routine) {
    thread_.frames.push_back({});
    call(site, routine);
  }
  // Such a routine returns. Afterwards, State::in_program says whether its caller is such a
  // routine, too.
  [[gnu::always_inline]] Invocation leave() {
    const Invocation returned = return_();
    thread_.frames.pop_back();
    if (!thread_.is_hidden())
      after_return();
    if (!thread_.is_in_program()) [[unlikely]] {
      s_.in_program = false;
      account_at_root();
    }
    return returned;
  }

private:
  Thread& thread_;
};

} // namespace shadow
