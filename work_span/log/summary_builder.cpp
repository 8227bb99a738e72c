#include "work_span/log/summary_builder.hpp"

#include "trace/loops/loop.hpp"

#include <utility>

namespace shadow {

SummaryBuilder::SummaryBuilder(State& s)
    : s_(s), engine_(s.settings.engine), regions_(engine_, mistakes_),
      span_(*engine_.start_measuring()) {}

SummaryBuilder::~SummaryBuilder() { engine_.abandon(&span_); }

bool SummaryBuilder::build(KnownInvocation& known, const OpenInvocation& open, const u64* end,
                           SpanThread& caller) {
  if (open.is_iteration())
    WorkSpan::begin_in_loops(span_, caller);
  const std::size_t loops = span_.loops.size();
  find_sites(known, open, end);
  open.end_pending(caller);
  find_pending(known, caller);
  std::swap(caller.pending, span_.pending);
  execute(known.summary, open, end);
  const bool is_in_loops = span_.loops.size() != loops;
  while (span_.loops.size() > loops) // they would stay pending in the caller's table
    engine_.end_loop(span_);
  std::swap(caller.pending, span_.pending);
  open.begin_pending(caller);
  const bool has_room = open.is_iteration() ? engine_.take_iteration(span_, known.summary)
                                            : engine_.take_invocation(span_, known.summary);
  WorkSpan::end_in_loops(span_);
  const bool has_mistakes = std::exchange(mistakes_, {}) != CilkMistakes{};
  return has_room && !has_mistakes && !is_in_loops;
}

void SummaryBuilder::find_sites(KnownInvocation& known, const OpenInvocation& open,
                                const u64* end) const {
  const event_log::LogSite* const log_sites = event_log::log_sites();
  InvocationSummary& summary = known.summary;
  for (const u64* word = open.steps; word != end; word++)
    known.steps.push_back(*word);
  known.all_steps = known.steps.size();
  if (!open.is_iteration())
    summary.of(open.site());
  const Loop* loop = innermost_loop(s_, span_); // of an iteration
  SiteId in_loop = loop == nullptr ? CallPaths::Call::kNoLoop : s_.sites.of(*loop);
  for (const u64* step = open.steps + 1; step != end - 1; step += Step::words(*step)) {
    if (Step::operation(*step) == Step::marker)
      continue;
    if (Step::operation(*step) == Step::in_loop) {
      loop = log_sites[Step::number(*step)].innermost_loop(loop);
      in_loop = find_loop(summary, loop);
      continue;
    }
    if (Step::operation(*step) == Step::leaf_loops) {
      find_loop(summary, log_sites[Step::number(*step)].loop);
      continue;
    }
    if (Step::is_leaf(*step)) {
      const SiteId leaf = Step::call_site(*step, log_sites);
      summary.of(leaf);
      s_.sites[leaf].in = in_loop;
      continue;
    }
    const KnownInvocation& callee = Step::callee(step);
    known.all_steps += callee.all_steps;
    s_.sites[callee.summary.sites[0].site].in = in_loop;
    for (const InvocationSummary::OfSite& of : callee.summary.sites)
      summary.of(of.site);
  }
}

// Adds outer loops first.
SiteId SummaryBuilder::find_loop(InvocationSummary& summary, const Loop* loop) const {
  if (loop == nullptr)
    return CallPaths::Call::kNoLoop;
  const SiteId outer = find_loop(summary, loop->parent);
  const SiteId site = s_.sites.of(*loop);
  s_.sites[site].in = outer;
  summary.of(site);
  return site;
}

void SummaryBuilder::find_pending(KnownInvocation& known, const SpanThread& caller) const {
  for (const InvocationSummary::OfSite& of : known.summary.sites) {
    const RoutineId routine = s_.sites[of.site].callee;
    const bool has_room = caller.pending.has_room(of.site, routine);
    known.pending.push_back({of.site, routine, has_room && caller.pending.sites[index(of.site)],
                             has_room && caller.pending.routines[index(routine)]});
  }
}

void SummaryBuilder::execute(InvocationSummary& summary, const OpenInvocation& open,
                             const u64* end) {
  const auto marker = [this](Marker kind) { regions_.marker(span_, static_cast<u32>(kind), 0); };
  for (const InvocationSummary::OfSite& of : summary.sites)
    engine_.discovered(of.site);
  const bool is_iteration = open.is_iteration();
  const u64 pending =
      is_iteration ? OpenInvocation::kRoutinePending : OpenInvocation::kCallerPending;
  span_.frames.back().outermost = (open.opening & pending) == 0;
  EngineDriver driver(s_, engine_, regions_, span_, accounted_, &summary);
  if (is_iteration) {
    marker(Marker::for_begin);
    marker(Marker::for_iteration);
  } else {
    driver.call(open.site(), open.routine);
  }
  replay(driver, open.steps + 1, end - 1, event_log::log_sites());
  driver.advance_to(driver.now() + end[-1]);
  if (!is_iteration)
    driver.return_();
  driver.account();
  if (is_iteration)
    marker(Marker::for_end);
}

} // namespace shadow
