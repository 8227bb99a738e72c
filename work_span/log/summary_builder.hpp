// Measures invocations for their summaries: executes the steps of one invocation on an engine of
// its own, in which nothing else runs. Costs the engine's time for these steps, once for all
// invocations with the same steps.
#pragma once

#include "work_span/log/open_invocations.hpp"
#include "work_span/state/state.hpp"

namespace shadow {

class SummaryBuilder {
public:
  explicit SummaryBuilder(State& s);
  ~SummaryBuilder();
  SummaryBuilder(const SummaryBuilder&) = delete;
  SummaryBuilder& operator=(const SummaryBuilder&) = delete;

  // Measures `open`, whose steps end before `end`, as called by the top frame of `caller`. Returns
  // false if it is too large, or if there are mistakes to count.
  bool build(KnownInvocation& known, const OpenInvocation& open, const u64* end,
             SpanThread& caller);

private:
  void find_sites(KnownInvocation& known, const OpenInvocation& open, const u64* end) const;
  SiteId find_loop(InvocationSummary& summary, const Loop* loop) const;
  void find_pending(KnownInvocation& known, const SpanThread& caller) const;
  void execute(InvocationSummary& summary, const OpenInvocation& open, const u64* end);

  State& s_;
  WorkSpan engine_;
  CilkMistakes mistakes_;
  CilkRegions regions_;
  SpanThread& span_;
  u64 accounted_ = 0;
};

} // namespace shadow
