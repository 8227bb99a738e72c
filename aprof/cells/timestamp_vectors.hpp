// Compares and stores adjacent timestamps, many at a time. If their number is a compile-time
// constant, the code has no loop and branches only on the result.
#pragma once

#include "aprof/cells/timestamp.hpp"
#include "base/simd.hpp"

#include <type_traits>

// Two timestamps in a word.
inline void set_pair(Timestamp* timestamps, u64 pair) {
  __builtin_memcpy(static_cast<void*>(timestamps), &pair, sizeof pair);
}

constexpr u64 pair_of(Timestamp both) { return both.value() * u64{0x1'0000'0001}; }

// Four timestamps in a vector, or two and zeroes. They have 31 bits, so they compare as signed
// numbers.
template <std::size_t kLanes> using Lanes = std::integral_constant<std::size_t, kLanes>;

inline I32x4 vector_at(const Timestamp* timestamps, Lanes<4>) { return load<I32x4>(timestamps); }
inline I32x4 vector_at(const Timestamp* timestamps, Lanes<2>) {
  return reinterpret_cast<I32x4>(I64x2{load<i64>(timestamps), 0});
}
constexpr I32x4 vector_of(Timestamp all, Lanes<4>) {
  const auto value = static_cast<i32>(all.value());
  return I32x4{value, value, value, value};
}
constexpr I32x4 vector_of(Timestamp all, Lanes<2>) {
  const auto value = static_cast<i32>(all.value());
  return I32x4{value, value, 0, 0};
}
inline void set_vector(Timestamp* timestamps, Timestamp all, Lanes<4> lanes) {
  store(timestamps, vector_of(all, lanes));
}
inline void set_vector(Timestamp* timestamps, Timestamp all, Lanes<2>) {
  set_pair(timestamps, pair_of(all));
}

// Calls visit(first, lanes) for vectors that cover kCells cells. For an odd number, the last vector
// overlaps another one. For an even number, as of cells that a routine pushes and pops, none does:
// a load of two values that were just stored separately would have to wait for both stores.
template <std::size_t kCells, typename Visit>
[[gnu::always_inline]] inline void for_each_vector(Visit visit) {
#pragma GCC unroll 16
  for (std::size_t first = 0; first + 4 <= kCells; first += 4)
    visit(first, Lanes<4>{});
  if constexpr (kCells % 4 == 2)
    visit(kCells - 2, Lanes<2>{});
  else if constexpr (kCells % 4 != 0)
    visit(kCells - 4, Lanes<4>{});
}

template <std::size_t kCells>
[[gnu::always_inline]] inline void set_all(Timestamp* cells, Timestamp stamp) {
  if constexpr (kCells >= 4) {
    for_each_vector<kCells>(
        [&](std::size_t first, auto lanes) { set_vector(cells + first, stamp, lanes); });
  } else {
    if constexpr (kCells >= 2)
      set_pair(cells, pair_of(stamp));
    if constexpr (kCells % 2 != 0)
      cells[kCells - 1] = stamp;
  }
}

template <std::size_t kCells>
[[gnu::always_inline]] inline bool are_all(const Timestamp* cells, Timestamp stamp) {
  if constexpr (kCells < 4) {
    bool all = true;
    for (std::size_t i = 0; i < kCells; i++)
      all = all && cells[i] == stamp;
    return all;
  } else {
    I32x4 others = {};
    for_each_vector<kCells>([&](std::size_t first, auto lanes) {
      others |= vector_at(cells + first, lanes) != vector_of(stamp, lanes);
    });
    return !is_any(others);
  }
}

// For any number of timestamps that is a multiple of kTogether, the number that a loop without
// branches visits, which compilers vectorise well.
inline constexpr std::size_t kTogether = 64;

bool are_equal(const Timestamp* cells, std::size_t count);
// Sets all to never; stores only where they differ.
void clear(Timestamp* cells, std::size_t count);
