// Which call sites and routines are pending above a thread, in its frames and in those of its
// creators when they created: what recursion is told by.
//
// A thread that runs asks a table, by site and by routine. Tables are as large as the program, so
// only threads that ran lately have one. What others must remember are links: of each pending frame
// of interest one, upon that below, shared by all that were created above it. A frame is linked
// when a thread is created there or its own loses its table, not before.
#pragma once

#include "base/memory.hpp"
#include "base/vector.hpp"
#include "work_span/engine/measures.hpp"

#include <utility>

// A pending frame that is the lowest of its site or of its routine.
struct PendingLink {
  PendingLink* below;
  u32 references; // of links above it and threads
  SiteId site;
  RoutineId routine;
  bool top_site;
  bool outermost;
};

inline PendingLink* share(PendingLink* link) {
  if (link != nullptr)
    link->references++;
  return link;
}
inline void drop(PendingLink* link) {
  while (link != nullptr && --link->references == 0) {
    PendingLink* const below = link->below;
    destroy(link);
    link = below;
  }
}

// Whether each is pending.
struct PendingTable {
  Vector<bool> sites{"cilkshadow.pending"};
  Vector<bool> routines{"cilkshadow.pending"};

  bool empty() const { return sites.empty(); }
  bool has_room(SiteId site) const { return index(site) < sites.size(); }
  bool has_room(SiteId site, RoutineId callee) const {
    return has_room(site) && index(callee) < routines.size();
  }
  // From a call to its return, its site and the routine called are pending.
  struct Lowest { // the call is the lowest pending one of its site, of its routine
    bool top_site;
    bool outermost;
  };
  Lowest begin_call(SiteId site, RoutineId callee) {
    return {.top_site = !std::exchange(sites[index(site)], true),
            .outermost = !std::exchange(routines[index(callee)], true)};
  }
  void end_call(SiteId site, RoutineId callee, Lowest lowest) {
    sites[index(site)] = !lowest.top_site;
    routines[index(callee)] = !lowest.outermost;
  }
  void mark(const PendingLink* link, bool pending) {
    for (; link != nullptr; link = link->below) {
      if (link->top_site)
        sites[index(link->site)] = pending;
      if (link->outermost)
        routines[index(link->routine)] = pending;
    }
  }
};
