#include "work_span/dag/call_paths.hpp"

namespace {
// Calls on further paths count as their caller's. Some 60 bytes each.
constexpr u32 kMostPaths = 500'000;
} // namespace

PathId CallPaths::look_up(PathId caller, SiteId site) {
  const u64 call = u64{index(caller)} << 32 | index(site);
  const PathId* known = by_call_.find(call);
  const PathId path = known != nullptr ? *known : by_call_.insert(call, find(caller, site));
  if (index(site) >= latest_.size())
    latest_.resize(index(site) + 1);
  latest_[index(site)] = {caller, path};
  return path;
}

PathId CallPaths::find(PathId caller, SiteId site) {
  const RoutineId routine = call_at_(site).callee;
  for (PathId path = caller; routine != RoutineId::none && path != PathId::root;
       path = paths_[index(path)].caller)
    if (call_at_(paths_[index(path)].site).callee == routine)
      return path;
  if (paths_.size() >= kMostPaths)
    return caller;
  paths_.emplace_back(caller, site);
  return static_cast<PathId>(paths_.size() - 1);
}
