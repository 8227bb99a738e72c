// A pool of elements that are identified by numbers from 1; 0 is none. A number is valid until it
// is given back, a reference only until the next take. All operations are O(1).
#pragma once

#include "base/vector.hpp"

template <typename T> class Pool {
public:
  explicit Pool(const char* cost_centre) : elements_(cost_centre), free_(cost_centre) {
    elements_.emplace_back();
  }
  T& operator[](u32 number) { return elements_[number]; }
  const T& operator[](u32 number) const { return elements_[number]; }

  u32 take() {
    if (free_.empty()) {
      elements_.emplace_back();
      return static_cast<u32>(elements_.size() - 1);
    }
    const u32 number = free_.back();
    free_.pop_back();
    elements_[number] = T{};
    return number;
  }
  void give_back(u32 number) { free_.push_back(number); }

  // One past the highest number ever taken.
  u32 end() const { return static_cast<u32>(elements_.size()); }
  u32 live() const { return static_cast<u32>(elements_.size() - 1 - free_.size()); }

private:
  Vector<T> elements_;
  Vector<u32> free_;
};
