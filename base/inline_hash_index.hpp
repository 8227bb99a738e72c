// A hash index into an array whose elements contain their own keys.
//
// The index stores positions in the array, four bytes each, with open addressing and linear
// probing, and is at most half full. A lookup reads one position and nearly always one element,
// which the caller is about to use anyway.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"

#include <utility>

class InlineHashIndex {
public:
  static constexpr std::size_t kNone = ~std::size_t{0};

  explicit constexpr InlineHashIndex(const char* cost_centre) : slots_(cost_centre) {}

  // Returns the key's position in the array, or kNone. `key_at(position)` reads the key from the
  // array.
  template <typename KeyAt> std::size_t find(u64 key, KeyAt key_at) const {
    return slots_.empty() ? kNone : std::size_t{slots_[slot_of(key, key_at)]} - 1;
  }

  // Adds the key that the array holds at `position`. The key must not be in the index yet.
  template <typename KeyAt> void add(u32 position, KeyAt key_at) {
    if (2 * (size_ + 1) > slots_.size())
      grow(key_at);
    slots_[slot_of(key_at(position), key_at)] = position + 1;
    size_++;
  }

  void clear() {
    slots_.clear();
    size_ = 0;
  }

private:
  // Returns the slot that holds the key, or the free slot where it would be inserted.
  template <typename KeyAt> std::size_t slot_of(u64 key, KeyAt key_at) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = (key * 0x9E3779B97F4A7C15u >> 20) & mask;
    while (slots_[i] != 0 && key_at(slots_[i] - 1) != key)
      i = (i + 1) & mask;
    return i;
  }

  template <typename KeyAt> void grow(KeyAt key_at) {
    Vector<u32> spare(slots_.cost_centre());
    spare.resize(slots_.empty() ? 32 : 2 * slots_.size());
    // Swapped only after the allocation: resize() may run out of memory, and then writes the
    // profile.
    std::swap(slots_, spare);
    for (const u32 slot : spare)
      if (slot != 0)
        slots_[slot_of(key_at(slot - 1), key_at)] = slot;
  }

  Vector<u32> slots_; // position + 1; 0 if free
  std::size_t size_ = 0;
};
