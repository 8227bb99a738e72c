#include "work_span/order/atomic_values.hpp"

#include "base/address_map.hpp"
#include "base/lazy.hpp"
#include "work_span/order/spin_waits.hpp"

#include <utility>

namespace atomic_values {
namespace {

constexpr unsigned kRecentBits = 10;

Lazy<Vector<AtomicValue>> recent{"cilkshadow.atomics"}; // by hash of the address
Lazy<AddressMap<AtomicValue*>> awaited{"cilkshadow.atomics"};

AtomicValue& recent_at(GuestAddr address) {
  return (*recent)[address * 0x9E3779B97F4A7C15u >> (64 - kRecentBits)];
}

} // namespace

AtomicValue& at(GuestAddr address) {
  if (recent->empty())
    recent->resize(std::size_t{1} << kRecentBits);
  if (AtomicValue* kept = find_awaited(address))
    return *kept;
  AtomicValue& value = recent_at(address);
  if (value.address != address) {
    const bool lost = value.changes.node != nullptr || value.lacks_changes;
    shadow::paths().drop(value.changes);
    value = AtomicValue{.address = address, .lacks_changes = lost};
  }
  return value;
}

AtomicValue* shared_at(GuestAddr address) {
  AtomicValue& value = at(address);
  if (shadow::threads() >= 2)
    return &value;
  value.lacks_changes = false;
  return nullptr;
}

AtomicValue& awaited_at(GuestAddr address) {
  AtomicValue& found = at(address);
  if (find_awaited(address) != nullptr)
    return found;
  auto* kept = create<AtomicValue>("cilkshadow.atomics", std::move(found));
  found = AtomicValue{};
  return *awaited->insert(address, kept);
}

AtomicValue* find_awaited(GuestAddr address) {
  AtomicValue** known = awaited->find(address);
  return known == nullptr ? nullptr : *known;
}

const PathPoint* changes_of(GuestAddr address) {
  if (recent->empty())
    return nullptr;
  const AtomicValue* kept = find_awaited(address);
  const AtomicValue& value = kept != nullptr ? *kept : recent_at(address);
  return value.address == address && value.changes.node != nullptr ? &value.changes : nullptr;
}

void store(AtomicValue& value) {
  shadow::account();
  shadow::paths().drop(value.changes);
  value.changes = shadow::publish();
  value.has_last = false;
  spin_waits::changes(value.address);
}

void change(AtomicValue& value, bool begins) {
  shadow::account();
  if (begins)
    shadow::paths().drop(value.changes);
  shadow::paths().gather(value.changes, shadow::publish());
}

} // namespace atomic_values
