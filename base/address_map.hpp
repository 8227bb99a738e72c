// A hash table from any 64-bit key to a small value: open addressing, linear probing, at most half
// full. A lookup costs one multiplication and nearly always one probe.
#pragma once

#include "base/memory.hpp"

template <typename Value> class AddressMap {
public:
  explicit constexpr AddressMap(const char* cost_centre) : cost_centre_(cost_centre) {}
  AddressMap(const AddressMap&) = delete;
  AddressMap& operator=(const AddressMap&) = delete;
  ~AddressMap() { clear(); }

  // Returns null if the key is absent. The pointer is valid until the next insert or remove.
  Value* find(u64 key) {
    if (capacity_ == 0)
      return nullptr;
    Slot& slot = slot_of(key);
    return slot.used ? &slot.value : nullptr;
  }

  // The key must be absent.
  Value& insert(u64 key, Value value) {
    if (2 * (size_ + 1) > capacity_)
      grow();
    Slot& slot = slot_of(key);
    slot = {key, value, true};
    size_++;
    return slot.value;
  }

  // Returns the key's value, inserting a default one if the key is absent. Valid until the next
  // insert or remove.
  Value& at(u64 key) {
    Value* known = find(key);
    return known != nullptr ? *known : insert(key, Value{});
  }

  // The key may be absent. Entries behind it move into the gap, so that a probe never meets one.
  void remove(u64 key) {
    if (capacity_ == 0)
      return;
    const Slot& removed = slot_of(key);
    if (!removed.used)
      return;
    std::size_t gap = static_cast<std::size_t>(&removed - slots_);
    for (std::size_t i = after(gap); slots_[i].used; i = after(i)) {
      const std::size_t mask = capacity_ - 1;
      if (((i - home(slots_[i].key)) & mask) >= ((i - gap) & mask)) {
        slots_[gap] = slots_[i];
        gap = i;
      }
    }
    slots_[gap].used = false;
    size_--;
  }

  std::size_t size() const { return size_; }

  void clear() {
    if (slots_ != nullptr)
      release(slots_);
    slots_ = nullptr;
    size_ = capacity_ = 0;
  }

private:
  struct Slot {
    u64 key;
    Value value;
    bool used; // takes no room beside a value of 4 bytes
  };

  std::size_t home(u64 key) const { return (key * 0x9E3779B97F4A7C15u >> 20) & (capacity_ - 1); }
  std::size_t after(std::size_t slot) const { return (slot + 1) & (capacity_ - 1); }

  Slot& slot_of(u64 key) {
    std::size_t i = home(key);
    while (slots_[i].used && slots_[i].key != key)
      i = after(i);
    return slots_[i];
  }

  void grow() {
    Slot* old = slots_;
    const std::size_t old_capacity = capacity_;
    const std::size_t capacity = old_capacity == 0 ? 64 : 2 * old_capacity;
    slots_ = static_cast<Slot*>(allocate(cost_centre_, capacity * sizeof(Slot)));
    // Set only after the allocation: if it runs out of memory, what is then written may still look
    // things up here.
    capacity_ = capacity;
    for (std::size_t i = 0; i < capacity_; i++)
      slots_[i] = Slot{0, Value{}, false};
    for (std::size_t i = 0; i < old_capacity; i++)
      if (old[i].used)
        slot_of(old[i].key) = old[i];
    if (old != nullptr)
      release(old);
  }

  const char* cost_centre_;
  Slot* slots_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};
