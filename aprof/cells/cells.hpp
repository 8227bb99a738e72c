// The timestamps of adjacent cells, for the current thread: pointers into ts_t and wts, which it
// does not own.
//
// An access is induced if `wts` is later than `ts`. In a chunk that only one thread accesses, both
// point to the same words (shadow_memory.hpp), so no access is induced.
#pragma once

#include "aprof/cells/timestamp_vectors.hpp"

struct Cells {
  Timestamp* ts = nullptr; // null: not looked up yet, or indexed
  Timestamp* wts = nullptr;

  bool are_exclusive() const { return wts == ts; }
  Cells from(std::size_t first) const { return {ts + first, wts + first}; }

  // Whether the first kCells were accessed since `begun` and not written by anybody else since that
  // access. If so, a read by an activation that began at `begun` changes nothing.
  template <std::size_t kCells>
  [[gnu::always_inline]] bool are_accessed_since(Timestamp begun) const {
    if constexpr (kCells < 4) {
      bool accessed = true;
      for (std::size_t i = 0; i < kCells; i++)
        accessed = accessed && begun <= ts[i] && wts[i] <= ts[i];
      return accessed;
    } else {
      I32x4 others = {};
      for_each_vector<kCells>([&](std::size_t first, auto lanes) {
        const I32x4 accessed = vector_at(ts + first, lanes);
        others |= (accessed < vector_of(begun, lanes)) | (accessed < vector_at(wts + first, lanes));
      });
      return !is_any(others);
    }
  }

  // Whether the first kCells were last accessed at time `before` and not written by anybody else
  // since.
  template <std::size_t kCells>
  [[gnu::always_inline]] bool are_last_accessed_at(Timestamp before) const {
    if constexpr (kCells < 4) {
      bool alike = true;
      for (std::size_t i = 0; i < kCells; i++)
        alike = alike && ts[i] == before && wts[i] <= before;
      return alike;
    } else {
      I32x4 others = {};
      for_each_vector<kCells>([&](std::size_t first, auto lanes) {
        const I32x4 then = vector_of(before, lanes);
        others |= (vector_at(ts + first, lanes) != then) | (vector_at(wts + first, lanes) > then);
      });
      return !is_any(others);
    }
  }
};
