// Finds keys in an array that holds them itself: a hash index of places, four bytes each, by open
// addressing and linear probing, at most half full. A lookup reads one place and, nearly always,
// the key there, which is what the caller is about to use.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"

#include <utility>

class PlaceIndex {
public:
  static constexpr std::size_t kNone = ~std::size_t{0};

  explicit constexpr PlaceIndex(const char* cost_centre) : slots_(cost_centre) {}

  // `key_at(place)` is the key that the array holds there. kNone when the key is absent.
  template <typename KeyAt> std::size_t find(u64 key, KeyAt key_at) const {
    return slots_.empty() ? kNone : std::size_t{slots_[slot_of(key, key_at)]} - 1;
  }

  // The array holds the key at `place`, and no place was added for it.
  template <typename KeyAt> void add(u32 place, KeyAt key_at) {
    if (2 * (size_ + 1) > slots_.size())
      grow(key_at);
    slots_[slot_of(key_at(place), key_at)] = place + 1;
    size_++;
  }

  void clear() {
    slots_.clear();
    size_ = 0;
  }

private:
  // Where the key's place is, or would be.
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
    std::swap(slots_, spare); // not before: the last words may look things up here
    for (const u32 place : spare)
      if (place != 0)
        slots_[slot_of(key_at(place - 1), key_at)] = place;
  }

  Vector<u32> slots_; // a place and 1; 0: free
  std::size_t size_ = 0;
};
