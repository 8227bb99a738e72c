// Executions of loops: parts of their frames' invocations, with sites of their own.
#include "work_span/engine/work_span_fast.hpp"

#include <algorithm>
#include <utility>

namespace {

// Work of the top frame itself.
Work own(const SpanThread& thread) {
  const SpanFrame& frame = thread.frames.back();
  return thread.work - frame.work_at_entry - frame.callees;
}

// Calls f with the loops that the top frame is in, the innermost one first.
template <typename F> void for_each_loop(SpanThread& thread, F f) {
  for (u32 number = thread.frames.back().loop; number != 0; number = thread.loops[number - 1].outer)
    f(thread.loops[number - 1]);
}

} // namespace

void WorkSpan::begin_loop(SpanThread& thread, SiteId site) {
  if (!thread.pending.has_room(site)) [[unlikely]]
    make_room(thread, site, thread.frames.back().routine);
  SpanFrame& frame = thread.frames.back();
  if (frame.loop != 0)
    report_loop(thread.path(), thread, frame, frame.local.whole);
  frame.local.of_loops = frame.local.whole; // what was in no loop
  if (thread.dag != nullptr)
    dag_->call(*thread.dag, thread.work, site);
  thread.loops.push_back({.site = site,
                          .frame = static_cast<u32>(thread.frames.size() - 1),
                          .outer = frame.loop,
                          .top_site = !std::exchange(thread.pending.sites[index(site)], true),
                          .work_at_entry = thread.work,
                          .span_at_entry = thread.path().lengths.span,
                          .own_at_entry = own(thread)});
  frame.loop = static_cast<u32>(thread.loops.size());
}

void WorkSpan::end_loop(SpanThread& thread) {
  SpanFrame& frame = thread.frames.back();
  report_loop(thread.path(), thread, frame, frame.local.whole);
  if (thread.dag != nullptr)
    dag_->return_(*thread.dag, thread.work);
  if (thread.loops.back().linked)
    unlink(thread, thread.loops.back().top_site);
  const LoopFrame& loop = thread.loops.back();
  const Work own_since = own(thread) - loop.own_at_entry;
  Contribution contribution{.site = loop.site,
                            .top_site = loop.top_site,
                            .top_caller = frame.outermost,
                            .invocations = 1,
                            .of = {.work = thread.work - loop.work_at_entry,
                                   .span = thread.path().lengths.span - loop.span_at_entry,
                                   .local_work = own_since - loop.inner}};
  thread.path().prof.update(profs_, contribution); // its local span has been reported
  contribution.of.local_span = contribution.of.local_work;
  contribution.add_to(on_work_[index(loop.site)]);
  note_execution(loop.site, contribution.of.work);
  if (loop.is_part) [[unlikely]] {
    end_iteration_of_part(thread, loop);
    note_parts(loop.site, 1, contribution.of.work);
  }
  thread.pending.sites[index(loop.site)] = !loop.top_site;
  frame.loop = loop.outer;
  thread.loops.pop_back();
  if (frame.loop != 0)
    thread.loops[frame.loop - 1].inner += own_since;
}

void WorkSpan::end_iteration_of_part(const SpanThread& thread, const LoopFrame& loop) {
  if (loop.has_begun)
    note_iteration(loop.site, thread.work - loop.iteration_from);
}

void WorkSpan::iteration_of_part(SpanThread& thread, SiteId site) {
  for_each_loop(thread, [&](LoopFrame& loop) {
    if (loop.site != site || !loop.is_part)
      return;
    end_iteration_of_part(thread, loop);
    loop.has_begun = true;
    loop.iteration_from = thread.work;
  });
}

void WorkSpan::barrier_in_loops(SpanThread& thread) {
  if (!thread.frames.empty())
    for_each_loop(thread, [&](const LoopFrame& loop) { spread_of(loop.site).is_around = true; });
}

void WorkSpan::leaf_loops(SpanThread& thread, SiteId site, u64 executions, Work amount,
                          Work unaccounted) {
  if (!thread.pending.has_room(site)) [[unlikely]]
    make_room(thread, site, thread.frames.back().routine);
  if (thread.dag != nullptr)
    dag_->add_leaf_loop(*thread.dag, thread.work + unaccounted, site, amount);
  SpanFrame& frame = thread.frames.back();
  add_leaves(thread, site, frame.outermost, executions, amount);
  if (frame.loop == 0)
    return;
  thread.loops[frame.loop - 1].inner += amount;
  // A later branch may have reported more.
  frame.local.of_loops = std::min(frame.local.of_loops, frame.local.whole + unaccounted) + amount;
}

void WorkSpan::loop_of_leaf(SpanThread& thread, SiteId call, RoutineId callee, SiteId loop,
                            Work amount) {
  if (!thread.pending.has_room(loop, callee))
    make_room(thread, loop, callee);
  if (thread.dag != nullptr)
    dag_->add_loop_of_leaf(*thread.dag, call, loop, amount);
  add_leaves(thread, loop, !thread.pending.routines[index(callee)], 1, amount);
}

// Reports what the frame has executed on the path in its innermost loop up to then.
void WorkSpan::report_loop(Path& path, const SpanThread& thread, SpanFrame& frame, Span until) {
  const auto since = static_cast<long>(until - frame.local.of_loops);
  if (since <= 0) // a later branch has reported more
    return;
  path.prof.update(profs_, {.site = thread.loops[frame.loop - 1].site,
                            .of = {.local_span = static_cast<Span>(since)}});
  frame.local.of_loops = until;
}

void WorkSpan::begin_in_loops(SpanThread& measuring, const SpanThread& thread) {
  if (!is_in_loop(thread))
    return;
  // Outer loops do not matter.
  measuring.loops.emplace_back().site = loop_of(thread).site;
  measuring.frames.back().loop = 1;
}

void WorkSpan::end_in_loops(SpanThread& measuring) {
  measuring.loops.clear();
  measuring.frames.back().loop = 0;
}
