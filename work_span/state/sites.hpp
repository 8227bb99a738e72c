// The call sites of the client, by number: a call's address and the routine called there.
#pragma once

#include "base/address_map.hpp"
#include "trace/routines.hpp"
#include "work_span/engine/cilk_region.hpp"
#include "work_span/engine/measures.hpp"
#include "work_span/state/routine_class.hpp"

struct Site {
  GuestAddr address; // within the call; 0: outermost frames
  GuestAddr address_in_file;
  RoutineId caller; // none: outermost frames
  RoutineId callee;
  RoutineTable::SourceLine line;
  CallPlace place;
  u64 spawned = 0;
  u32 next = 0; // 1 + number of another callee's site of the same address
};

inline SourcePlace place_of(const RoutineTable::SourceLine& line) {
  return u64{line.file} << 32 | line.line;
}

class SiteTable {
public:
  // What is asked at each call.
  struct Known {
    GuestAddr address = 0;
    RoutineId callee = RoutineId::stub; // nobody calls it
    SiteId site{};
    SourcePlace line = 0;
    u32 inlined = 0;
    SpawnRole role{};
    RoutineClass callee_class{};

    CallPlace place() const { return {line, inlined, role}; }
  };
  // Null: not found lately.
  const Known* known(GuestAddr address, RoutineId callee) {
    const Known& latest = latest_of(address, callee);
    return latest.address == address && latest.callee == callee ? &latest : nullptr;
  }
  const Known& find(GuestAddr address, RoutineId callee, RoutineClass callee_class) {
    if (const Known* latest = known(address, callee))
      return *latest;
    const SiteId site = look_up(address, callee, callee_class);
    const CallPlace& place = sites_[index(site)].place;
    return latest_of(address, callee) = {address,       callee,     site,        place.line,
                                         place.inlined, place.role, callee_class};
  }
  Site& operator[](SiteId id) { return sites_[index(id)]; }
  const Site& operator[](SiteId id) const { return sites_[index(id)]; }
  u32 size() const { return static_cast<u32>(sites_.size()); }

private:
  SiteId look_up(GuestAddr address, RoutineId callee, RoutineClass callee_class);
  CallPlace place_of_call(const Site& site, RoutineClass callee_class);

  static constexpr std::size_t kKnown = 512;
  Known& latest_of(GuestAddr address, RoutineId callee) {
    return known_[(address ^ index(callee)) % kKnown];
  }
  Known known_[kKnown];
  Vector<Site> sites_{"cilkshadow.sites"};
  StringTable inlined_{"cilkshadow.sites"};       // names of routines inlined
  AddressMap<u32> latest_at_{"cilkshadow.sites"}; // 1 + number, by address
};
