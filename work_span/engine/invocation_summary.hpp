// The measures of one invocation of a routine with everything that it called, or of one iteration
// of a parallel loop. The engine takes a summary once (WorkSpan::take_invocation) and adds it for
// each invocation that does the same (WorkSpan::repeat_invocation).
//
// Owns lists whose length is the number of call sites in it; invocations with many are not
// summarised.
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
    LoopSpread spread{}; // of a loop
  };

  Work work = 0;
  Lengths lengths;                                      // by which the path of its thread grows
  Vector<Contribution> on_path{"cilkshadow.summaries"}; // one for each site and kind
  Vector<OfSite> sites{"cilkshadow.summaries"};
  // For an iteration: by how much its frame's callees and local span grow.
  Work callees = 0;
  Span local_span = 0;
  Work in_loops = 0; // the part of its frame's own work that is in inner loops
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
