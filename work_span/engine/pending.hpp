// The call sites and routines that are pending above a thread, in its own frames and in those of
// its creators at the time of creation. This is how recursion is recognised.
//
// A running thread looks up a table by site and by routine. Tables are as large as the program, so
// only threads that ran recently have one. For all others, the information is in links: one for
// each pending frame that matters, pointing to the one below, and shared by all threads that were
// created above it. A frame gets a link only when a thread is created there, or when its own thread
// loses its table.
#pragma once

#include "base/memory.hpp"
#include "base/vector.hpp"
#include "work_span/engine/measures.hpp"

#include <utility>

// A pending frame that is the lowest of its site or of its routine.
struct PendingLink {
  PendingLink* below;
  u32 references; // by links above it and by threads
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

// Whether each site and each routine is pending.
struct PendingTable {
  Vector<bool> sites{"cilkshadow.pending"};
  Vector<bool> routines{"cilkshadow.pending"};

  bool empty() const { return sites.empty(); }
  bool has_room(SiteId site) const { return index(site) < sites.size(); }
  bool has_room(SiteId site, RoutineId callee) const {
    return has_room(site) && index(callee) < routines.size();
  }
  // Call at a call and at its return: in between, the site and the called routine are pending.
  struct Lowest { // whether the call is the lowest pending one of its site, and of its routine
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
