// The most frequent events of the work-span engine, to be inlined into their callers. Fields that
// an invocation does not need are not written, and all others are written once, in place.
#pragma once

#include "base/check.hpp"
#include "work_span/engine/work_span.hpp"

#include <utility>

[[gnu::always_inline]] inline void WorkSpan::call(SpanThread& thread, SiteId site, RoutineId callee,
                                                  Work unaccounted) {
  if (!thread.pending.has_room(site, callee)) [[unlikely]]
    make_room(thread, site, callee);
  if (thread.dag != nullptr) [[unlikely]]
    dag_->call(*thread.dag, thread.work + unaccounted, site);
  bool top_caller = true;
  if (!thread.frames.empty()) [[likely]] {
    SpanFrame& caller = thread.frames.back();
    caller.local.whole += unaccounted;
    top_caller = caller.outermost;
  }
  const auto [top_site, outermost] = thread.pending.begin_call(site, callee);
  SpanFrame& frame = thread.frames.emplace_back(
      site, callee, top_site, top_caller, outermost, false, 0u, 0u, 0u, thread.work + unaccounted,
      thread.path().lengths.span + unaccounted, thread.path().lengths.burdened + unaccounted);
  frame.local.whole = Span{0} - unaccounted;
}

[[gnu::always_inline]] inline Invocation WorkSpan::return_from_top(SpanThread& thread,
                                                                   Work unaccounted) {
  const SpanFrame& frame = thread.frames.back();
  if (is_open(frame))
    close_top(thread);
  if (thread.dag != nullptr) [[unlikely]]
    dag_->return_(*thread.dag, thread.work + unaccounted);
  const Work work = thread.work + unaccounted - frame.work_at_entry;
  const Span local_span = frame.local.whole + unaccounted;
  const Invocation invocation{.work = work,
                              .span =
                                  thread.path().lengths.span + unaccounted - frame.span_at_entry,
                              .local_work = work - frame.callees,
                              .local_span = local_span};
  Contribution contribution{frame.site, frame.top_site, frame.top_caller, 1, invocation};
  Measures& on_work = on_work_[index(frame.site)];
  contribution.add_to(on_work);
  if (frame.top_site)
    on_work.burdened += thread.path().lengths.burdened + unaccounted - frame.burdened_at_entry;
  contribution.of.local_span = local_span - frame.local.reported;
  thread.path().prof.update(profs_, contribution);
  thread.pending.end_call(frame.site, frame.routine, {frame.top_site, frame.outermost});
  thread.frames.pop_back();
  if (!thread.frames.empty()) {
    SpanFrame& caller = thread.frames.back();
    caller.callees += work;
    caller.local.whole -= unaccounted;
  }
  return invocation;
}

[[gnu::always_inline]] inline void WorkSpan::call_leaves(SpanThread& thread, SiteId site, u64 calls,
                                                         Work amount, Work in_loops) {
  SpanFrame& caller = thread.frames.back();
  if (!thread.pending.has_room(site)) [[unlikely]]
    make_room(thread, site, caller.routine);
  if (thread.dag != nullptr) [[unlikely]]
    dag_->add_leaf(*thread.dag, site, amount - in_loops);
  caller.callees += amount;
  caller.local.whole -= amount;
  add_leaves(thread, site, caller.outermost, calls, amount);
}

[[gnu::always_inline]] inline void WorkSpan::add_leaves(SpanThread& thread, SiteId site,
                                                        bool top_caller, u64 invocations,
                                                        Work amount) {
  const Contribution contribution{
      .site = site,
      .top_site = !thread.pending.sites[index(site)],
      .top_caller = top_caller,
      .invocations = invocations,
      .of = {.work = amount, .span = amount, .local_work = amount, .local_span = amount}};
  Measures& on_work = on_work_[index(site)];
  contribution.add_to(on_work);
  if (contribution.top_site)
    on_work.burdened += amount;
  thread.path().prof.update(profs_, contribution);
}

[[gnu::always_inline]] inline void WorkSpan::repeat_iteration(SpanThread& thread,
                                                              const InvocationSummary& summary) {
  if (thread.dag != nullptr) [[unlikely]]
    dag_->add_iteration(*thread.dag, thread.work, waits(thread), summary);
  thread.work += summary.work;
  SpanFrame& frame = thread.frames.back();
  frame.callees += summary.callees;
  if (frame.loop != 0)
    thread.loops[frame.loop - 1].inner += summary.in_loops;
  Lengths end = thread.path().lengths;
  end += summary.lengths;
  if (has_child(thread) && end.span <= thread.beneath().lengths.span)
    thread.beneath().lengths.raise_to(end);
  else
    longer_iteration(thread, end, summary);
}

// Spawns

[[gnu::always_inline]] inline void WorkSpan::fork(SpanThread& thread, Span burden) {
  CHECK(!thread.frames.empty());
  if (thread.dag != nullptr) [[unlikely]]
    dag_->fork(*thread.dag, thread.work);
  totals_.spawns++;
  report_loop_of_branch(thread);
  SpanFrame& frame = thread.frames.back();
  frame.forks++;
  Branch& before = thread.path();
  before.lengths.burdened += burden;
  before.state = Branch::State::forked;
  before.in_nodes = false;
  before.frame = static_cast<u32>(thread.frames.size() - 1);
  before.burden = burden;
  before.local = frame.local;
  const Lengths from = before.lengths; // `before` may move
  thread.branches.emplace_back(from);
}

[[gnu::always_inline]] inline void WorkSpan::end_spawn(SpanThread& thread) {
  wait_in_child(thread);
  if (thread.dag != nullptr) [[unlikely]]
    dag_->end_spawn(*thread.dag, thread.work);
  report_loop_of_branch(thread);
  Branch& child = thread.path();
  const Branch& before = thread.beneath();
  SpanFrame& frame = thread.frames.back();
  CHECK(frame.forks > 0 && before.state == Branch::State::forked);
  child.state = Branch::State::ended;
  child.in_nodes = before.in_nodes;
  child.frame = before.frame;
  child.local = frame.local;
  frame.local = before.local;
  const Lengths from = before.lengths;
  thread.branches.emplace_back(from);
}

[[gnu::always_inline]] inline void WorkSpan::keep_spawn(SpanThread& thread) {
  Branch& child = thread.beneath();
  const SpanFrame& frame = thread.frames.back();
  CHECK(frame.forks > 0 && child.state == Branch::State::ended);
  child.state = Branch::State::kept;
  if (frame.forks > 1 && (&child)[-2].state == Branch::State::kept)
    unite_kept(thread);
}

// A fork whose child has ended: the path before it, the child's, and the continuation.
struct WorkSpan::Fork {
  explicit Fork(Branch& end) : before((&end)[-2]), child((&end)[-1]), path(end) {}
  Branch& before;
  Branch& child;
  Branch& path;
};

// Ends the thread's latest fork; the path before it has what is left.
inline void WorkSpan::end_fork(SpanThread& thread) {
  thread.branches.pop_back();
  thread.branches.pop_back();
  thread.path().state = Branch::State::grows;
  thread.frames.back().forks--;
}

inline void WorkSpan::wait_for_child(SpanThread& thread) {
  const Fork fork(thread.path());
  if (thread.dag != nullptr) [[unlikely]]
    dag_->wait_for_child(*thread.dag, thread.work, waits(thread));
  Lengths lengths = fork.path.lengths;
  lengths.raise_to(fork.child.lengths);
  if (fork.child.lengths.span > fork.path.lengths.span) {
    paths_.go_on(fork.before, fork.child, fork.path);
    thread.frames.back().local = fork.child.local;
  } else {
    paths_.go_on(fork.before, fork.path, fork.child);
  }
  fork.before.lengths = lengths;
  end_fork(thread);
}

[[gnu::always_inline]] inline void WorkSpan::sync(SpanThread& thread) {
  CHECK(!thread.frames.empty());
  totals_.syncs++;
  if (has_child(thread))
    wait_for_child(thread);
}
