// The call paths of strands, as a tree: a path is the caller's path and the site of the call. A
// loop counts as called by its routine. Recursive calls belong to the outermost activation of their
// routine, so the number of paths is bounded by the ways through the program's routines, not by the
// number of activations.
//
// Owns the tree; path numbers are valid until the end. A call costs a comparison if the site was
// last called on the same path, otherwise a hash probe; the first call on a path costs a step for
// each caller.
#pragma once

#include "base/address_map.hpp"
#include "base/vector.hpp"
#include "work_span/engine/measures.hpp"

enum class PathId : u32 { root = 0 };
constexpr u32 index(PathId id) { return static_cast<u32>(id); }

// The paths of the sites in a summary, where it was last repeated, with the work of each site
// itself, and the site in the summary that calls or contains it.
struct SummaryPaths {
  static constexpr u32 kOutside = ~u32{0};
  struct Part {
    PathId path;
    Work work;
    u32 within; // index in of_sites
  };
  static constexpr PathId kNobody = static_cast<PathId>(~u32{0});
  PathId caller = kNobody; // the path that their paths were found for
  Work own = 0;            // work of the caller
  Vector<Part> of_sites{"cilkshadow.dag.paths"};

  void clear() {
    caller = kNobody;
    of_sites.clear();
  }
};

class CallPaths {
public:
  // The routines of a site, and the loop of the caller that contains it.
  struct Call {
    static constexpr SiteId kNoLoop = static_cast<SiteId>(~u32{0});
    RoutineId caller;
    RoutineId callee; // none: the site is a loop's
    SiteId loop = kNoLoop;
    bool is_loop() const { return callee == RoutineId::none; }
  };
  explicit CallPaths(Call (*call_at)(SiteId)) : call_at_(call_at) {
    paths_.emplace_back(PathId::root, SiteId{});
  }

  PathId called(PathId caller, SiteId site) {
    if (index(site) < latest_.size() && latest_[index(site)].caller == caller) [[likely]]
      return latest_[index(site)].path;
    return look_up(caller, site);
  }
  Call call_at(SiteId site) const { return call_at_(site); }
  PathId caller(PathId path) const { return paths_[index(path)].caller; }
  // The innermost path that both are on: a caller has a smaller number.
  PathId common(PathId one, PathId other) const {
    while (one != other) {
      PathId& later = one > other ? one : other;
      later = caller(later);
    }
    return one;
  }
  // The path's outermost call; of the root, the root.
  PathId outermost(PathId path) const {
    while (caller(path) != PathId::root)
      path = caller(path);
    return path;
  }
  SiteId site(PathId path) const { return paths_[index(path)].site; } // of any path but the root
  u32 size() const { return static_cast<u32>(paths_.size()); }

private:
  struct Path {
    PathId caller;
    SiteId site;
  };
  struct Latest {
    PathId caller = static_cast<PathId>(~u32{0});
    PathId path{};
  };
  PathId look_up(PathId caller, SiteId site);
  PathId find(PathId caller, SiteId site);

  Call (*call_at_)(SiteId);
  Vector<Path> paths_{"cilkshadow.dag.paths"};
  Vector<Latest> latest_{"cilkshadow.dag.paths"};      // by site
  AddressMap<PathId> by_call_{"cilkshadow.dag.paths"}; // by caller and site
};
