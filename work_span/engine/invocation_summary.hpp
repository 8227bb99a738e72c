// What one invocation of a routine measured, with all that it called; or one iteration of a
// parallel loop. The engine takes it once (WorkSpan::take_summary) and adds it for each invocation
// that does the same (WorkSpan::call_summary).
//
// Owns lists as long as the call sites in it; those with many are not summarised.
#pragma once

#include "base/vector.hpp"
#include "work_span/dag/call_paths.hpp"
#include "work_span/engine/path.hpp"

struct InvocationSummary {
  static constexpr std::size_t kMostSites = 8;
  static constexpr std::size_t kMostOnPath = 12;
  struct OfSite {
    SiteId site;
    u64 spawned = 0;
    Measures on_work{};
  };

  Work work = 0;
  Lengths lengths;                                      // by which its thread's path grows
  Vector<Contribution> on_path{"cilkshadow.summaries"}; // one for each site and kind
  Vector<OfSite> sites{"cilkshadow.summaries"};
  // An iteration's: how its frame's callees and its local span grow.
  Work callees = 0;
  Span local_span = 0;
  Work in_loops = 0; // of what its frame executed, what inner loops had
  u64 spawns = 0;
  u64 syncs = 0;
  mutable SummaryPaths paths; // in the dag

  OfSite& of(SiteId site) {
    for (OfSite& known : sites)
      if (known.site == site)
        return known;
    return sites.emplace_back(site);
  }
  void clear() {
    on_path.clear();
    sites.clear();
    paths.clear();
  }
};
