// The call sites of the client, numbered. A site is the address of a call, the calling and the
// called routine, and what debug info says about the call. Owns the sites; numbers are valid until
// the end. A recently used call site costs a comparison, any other a hash probe and a search among
// the sites of its address.
//
// The caller is the routine that was running, not the one that contains the address: code without
// symbols does not say where its routines end, and routines may share code.
//
// A loop is a site, too, for its executions.
#pragma once

#include "base/address_map.hpp"
#include "trace/loops/loop.hpp"
#include "trace/routines.hpp"
#include "work_span/dag/call_paths.hpp"
#include "work_span/engine/call_origin.hpp"
#include "work_span/engine/measures.hpp"
#include "work_span/state/routine_class.hpp"

// The caller and the place of the call. For outermost frames, nobody.
struct Caller {
  RoutineId routine = RoutineId::none;
  GuestAddr address = 0; // within the call
  bool operator==(const Caller&) const = default;
};

struct Site {
  Caller caller;
  RoutineId callee;
  GuestAddr address_in_file;
  RoutineTable::SourceLine line;
  CallOrigin origin;
  u64 spawned = 0;
  u32 next = 0;                         // 1 + number of another site at the same address
  const Loop* loop = nullptr;           // null: the site of a call
  bool is_of_library = false;           // the loop is in a template of a run-time library's
  SiteId in = CallPaths::Call::kNoLoop; // site of the loop that contains it, if it was summarised
};

inline SourceLocation location_of(const RoutineTable::SourceLine& line) {
  return u64{line.file} << 32 | line.line;
}

class SiteTable {
public:
  // What each call needs to know about its site.
  struct Known {
    Caller caller{};
    RoutineId callee = RoutineId::stub; // never called
    SiteId site{};
    SourceLocation location = 0;
    u32 inlined = 0;
    SpawnRole role{};
    RoutineClass callee_class{};

    CallOrigin origin() const { return {location, inlined, role}; }
  };
  // Null if it was not used recently.
  const Known* known(const Caller& caller, RoutineId callee) {
    const Known& latest = latest_of(caller, callee);
    return latest.caller == caller && latest.callee == callee ? &latest : nullptr;
  }
  // Returns the site, creating it if necessary.
  const Known& find(const Caller& caller, RoutineId callee, RoutineClass callee_class) {
    if (const Known* latest = known(caller, callee))
      return *latest;
    const SiteId site = look_up(caller, callee, callee_class);
    const CallOrigin& origin = sites_[index(site)].origin;
    return latest_of(caller, callee) = {caller,         callee,      site,        origin.location,
                                        origin.inlined, origin.role, callee_class};
  }
  // The site of the loop's executions; created on first use.
  SiteId of(const Loop& loop);
  Site& operator[](SiteId id) { return sites_[index(id)]; }
  const Site& operator[](SiteId id) const { return sites_[index(id)]; }
  u32 size() const { return static_cast<u32>(sites_.size()); }

private:
  SiteId look_up(const Caller& caller, RoutineId callee, RoutineClass callee_class);
  CallOrigin origin_of(const Site& site, RoutineClass callee_class);

  static constexpr std::size_t kKnown = 512;
  Known& latest_of(const Caller& caller, RoutineId callee) {
    return known_[(caller.address ^ index(callee)) % kKnown];
  }
  Known known_[kKnown];
  Vector<Site> sites_{"cilkshadow.sites"};
  StringTable inlined_{"cilkshadow.sites"};       // names of inlined routines
  AddressMap<u32> latest_at_{"cilkshadow.sites"}; // 1 + number, by address
  Vector<u32> of_loop_{"cilkshadow.sites"};       // 1 + number, by LoopId
};

inline SiteId SiteTable::of(const Loop& loop) {
  if (index(loop.id) >= of_loop_.size())
    of_loop_.resize(index(loop.id) + 1);
  u32& known = of_loop_[index(loop.id)];
  if (known == 0) {
    Site site{};
    site.caller.routine = site.callee = loop.routine;
    site.loop = &loop;
    sites_.push_back(site);
    known = size();
  }
  return SiteId{known - 1};
}
