#include "cilkshadow/sites.hpp"

#include "trace/call_events.hpp"

SiteId SiteTable::look_up(GuestAddr address, RoutineId callee) {
  u32* latest = latest_at_.find(address);
  for (u32 i = latest == nullptr ? 0 : *latest; i != 0; i = sites_[i - 1].next)
    if (sites_[i - 1].callee == callee)
      return SiteId{i - 1};
  Site site{};
  site.address = address;
  site.callee = callee;
  if (address != 0) {
    site.address_in_file = RoutineTable::address_in_file(address);
    site.caller = routines->containing(address);
    site.line = routines->line_of(address);
  }
  site.next = latest == nullptr ? 0 : *latest;
  sites_.push_back(site);
  if (latest != nullptr)
    *latest = size();
  else
    latest_at_.insert(address, size());
  return SiteId{size() - 1};
}
