// Invocations that are measured once and then repeated: see invocation_summary.hpp.
#include "work_span/engine/work_span_fast.hpp"

#include <utility>

void WorkSpan::repeat_invocation(SpanThread& thread, const InvocationSummary& summary) {
  SpanFrame& caller = thread.frames.back();
  if (thread.dag != nullptr)
    dag_->add_callee(*thread.dag, summary);
  caller.callees += summary.work;
  caller.local.whole -= summary.work;
  Path& path = thread.path();
  path.lengths += summary.lengths;
  path.lengths -= Lengths(summary.work); // added to all lengths when it is reported
  for (const Contribution& contribution : summary.on_path)
    path.prof.update(profs_, contribution);
}

void WorkSpan::count_repeats(const InvocationSummary& summary, u64 times) {
  totals_.spawns += times * summary.spawns;
  totals_.syncs += times * summary.syncs;
  for (const InvocationSummary::OfSite& known : summary.sites) {
    on_work_[index(known.site)].add(known.on_work, times);
    if (known.spread != LoopSpread())
      spread_of(known.site).add(known.spread, times);
  }
}

void WorkSpan::longer_iteration(SpanThread& thread, const Lengths& end,
                                const InvocationSummary& summary) {
  totals_.spawns--; // counted by the summary
  begin_iteration(thread);
  Path& child = thread.path();
  child.lengths = end;
  for (const Contribution& contribution : summary.on_path)
    child.prof.update(profs_, contribution);
  LocalSpan& local = thread.frames.back().local;
  local.whole += summary.local_span;
  local.of_loops += summary.local_span; // is on the child's path
  end_spawn(thread);
  keep_spawn(thread);
}

SpanThread* WorkSpan::start_measuring() {
  SpanThread* thread = start_thread(nullptr);
  thread->frames.emplace_back();
  return thread;
}

bool WorkSpan::take_iteration(SpanThread& thread, InvocationSummary& summary) {
  summary.in_loops = is_in_loop(thread) ? loop_of(thread).inner : 0;
  const bool has_room = take_invocation(thread, summary);
  summary.syncs--; // the loop's
  summary.lengths.burdened -= options_.burden;
  return has_room && summary.lengths.span > 0; // otherwise it is no path of its own
}

bool WorkSpan::take_invocation(SpanThread& thread, InvocationSummary& summary) {
  SpanFrame& caller = thread.frames.back();
  Path& path = thread.path();
  summary.work = std::exchange(thread.work, 0);
  summary.lengths = std::exchange(path.lengths, Lengths());
  summary.spawns = std::exchange(totals_.spawns, 0);
  summary.syncs = std::exchange(totals_.syncs, 0);
  summary.callees = std::exchange(caller.callees, 0);
  summary.local_span = std::exchange(caller.local, {}).whole;
  for (InvocationSummary::OfSite& known : summary.sites) {
    known.on_work = std::exchange(on_work_[index(known.site)], Measures());
    if (index(known.site) < spreads_.size())
      known.spread = std::exchange(spreads_[index(known.site)], LoopSpread());
  }
  const bool is_list = path.prof.is_list();
  if (is_list)
    path.prof.for_each_listed([&](const Contribution& contribution) {
      for (Contribution& known : summary.on_path)
        if (known.is_like(contribution)) {
          known += contribution;
          return;
        }
      summary.on_path.push_back(contribution);
    });
  path.prof.clear(profs_);
  return is_list && summary.sites.size() <= InvocationSummary::kMostSites &&
         summary.on_path.size() <= InvocationSummary::kMostOnPath;
}
