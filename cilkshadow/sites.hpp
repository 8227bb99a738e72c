// The call sites of the client, by number: a call's address and the routine called there.
#pragma once

#include "base/address_map.hpp"
#include "cilkshadow/measures.hpp"
#include "trace/routines.hpp"

struct Site {
  GuestAddr address; // within the call; 0: outermost frames
  GuestAddr address_in_file;
  RoutineId caller; // none: outermost frames
  RoutineId callee;
  RoutineTable::SourceLine line;
  u64 spawned = 0;
  u32 next = 0; // 1 + number of another callee's site of the same address
};

class SiteTable {
public:
  SiteId find(GuestAddr address, RoutineId callee) {
    Found& latest = found_[(address ^ index(callee)) % kFound];
    if (latest.address != address || latest.callee != callee) [[unlikely]]
      latest = {address, callee, look_up(address, callee)};
    return latest.site;
  }
  Site& operator[](SiteId id) { return sites_[index(id)]; }
  const Site& operator[](SiteId id) const { return sites_[index(id)]; }
  u32 size() const { return static_cast<u32>(sites_.size()); }

private:
  SiteId look_up(GuestAddr address, RoutineId callee);

  // What was found lately.
  struct Found {
    GuestAddr address = 0;
    RoutineId callee = RoutineId::stub; // nobody calls it
    SiteId site{};
  };
  static constexpr std::size_t kFound = 512;
  Found found_[kFound];
  Vector<Site> sites_{"cilkshadow.sites"};
  AddressMap<u32> latest_at_{"cilkshadow.sites"}; // 1 + number, by address
};
