// The calls by which the program acquires a lock, and the work under the lock after each; for the
// first kMost such calls. Costs a few comparisons per critical section.
#pragma once

#include "base/valgrind.hpp"
#include "work_span/engine/work_span.hpp"

namespace locks {

class LockPlaces {
public:
  struct Place {
    GuestAddr call; // an address in the call
    Work held;
  };
  void acquired_by(GuestAddr call) { call_ = call; } // 0: unknown
  GuestAddr acquired_by() const { return call_; }
  void held(Work work) {
    if (Place* place = call_ == 0 ? nullptr : find_or_add())
      place->held += work;
  }
  void forget_totals() { size_ = 0; }
  const Place* begin() const { return places_; }
  const Place* end() const { return places_ + size_; }

private:
  static constexpr u32 kMost = 8;
  Place* find_or_add() {
    for (u32 i = 0; i < size_; i++)
      if (places_[i].call == call_)
        return &places_[i];
    if (size_ == kMost)
      return nullptr;
    places_[size_] = {call_, 0};
    return &places_[size_++];
  }
  Place places_[kMost]{};
  u32 size_ = 0;
  GuestAddr call_ = 0; // of the latest acquisition
};

} // namespace locks
