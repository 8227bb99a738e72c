// The call sites of the client, by number: a call's address and the routine called there, with what
// debug info says of the call. Owns them; a number is valid until the end. A call site that was
// found lately costs a comparison, another a hash probe and the sites of its address.
#pragma once

#include "base/address_map.hpp"
#include "trace/routines.hpp"
#include "work_span/engine/call_origin.hpp"
#include "work_span/engine/measures.hpp"
#include "work_span/state/routine_class.hpp"

struct Site {
  GuestAddr address; // within the call; 0: outermost frames
  GuestAddr address_in_file;
  RoutineId caller; // none: outermost frames
  RoutineId callee;
  RoutineTable::SourceLine line;
  CallOrigin origin;
  u64 spawned = 0;
  u32 next = 0; // 1 + number of another callee's site of the same address
};

inline SourceLocation location_of(const RoutineTable::SourceLine& line) {
  return u64{line.file} << 32 | line.line;
}

class SiteTable {
public:
  // What each call needs to know of its site.
  struct Known {
    GuestAddr address = 0;
    RoutineId callee = RoutineId::stub; // nobody calls it
    SiteId site{};
    SourceLocation location = 0;
    u32 inlined = 0;
    SpawnRole role{};
    RoutineClass callee_class{};

    CallOrigin origin() const { return {location, inlined, role}; }
  };
  // Null: it was not found lately.
  const Known* known(GuestAddr address, RoutineId callee) {
    const Known& latest = latest_of(address, callee);
    return latest.address == address && latest.callee == callee ? &latest : nullptr;
  }
  // The site; made on first use.
  const Known& find(GuestAddr address, RoutineId callee, RoutineClass callee_class) {
    if (const Known* latest = known(address, callee))
      return *latest;
    const SiteId site = look_up(address, callee, callee_class);
    const CallOrigin& origin = sites_[index(site)].origin;
    return latest_of(address, callee) = {address,        callee,      site,        origin.location,
                                         origin.inlined, origin.role, callee_class};
  }
  Site& operator[](SiteId id) { return sites_[index(id)]; }
  const Site& operator[](SiteId id) const { return sites_[index(id)]; }
  u32 size() const { return static_cast<u32>(sites_.size()); }

private:
  SiteId look_up(GuestAddr address, RoutineId callee, RoutineClass callee_class);
  CallOrigin origin_of(const Site& site, RoutineClass callee_class);

  static constexpr std::size_t kKnown = 512;
  Known& latest_of(GuestAddr address, RoutineId callee) {
    return known_[(address ^ index(callee)) % kKnown];
  }
  Known known_[kKnown];
  Vector<Site> sites_{"cilkshadow.sites"};
  StringTable inlined_{"cilkshadow.sites"};       // names of routines inlined
  AddressMap<u32> latest_at_{"cilkshadow.sites"}; // 1 + number, by address
};
