// Timestamps of the read/write timestamping algorithm (aprof-trms paper, §4.2).
//
// The counter only takes even values, so that the lowest bit of a write timestamp can tell who
// wrote: a kernelWrite is stamped with the odd value just below the counter it advanced to. It is
// then later than every earlier access and earlier than every later one, as Figure 12 asks, and
// equals no thread's timestamp. In the access timestamps of memory that a single thread uses, it
// tells whether that thread wrote.
#pragma once

#include "base/simd.hpp"
#include "base/types.hpp"

#include <type_traits>

class Timestamp {
public:
  constexpr Timestamp() = default; // never
  constexpr explicit Timestamp(u32 value) : value_(value) {}

  static constexpr Timestamp never() { return Timestamp(); }
  constexpr bool is_never() const { return value_ == 0; }
  constexpr bool is_kernel_write() const { return (value_ & 1) != 0; }
  constexpr bool is_written() const { return (value_ & 1) != 0; }
  constexpr u32 value() const { return value_; }

  // The counter's next value, and the stamp of a kernelWrite between the one before and this.
  constexpr Timestamp next() const { return Timestamp(value_ + 2); }
  constexpr Timestamp kernel_write_before() const { return Timestamp(value_ - 1); }

  constexpr Timestamp written() const { return Timestamp(value_ | 1); }
  constexpr Timestamp plain() const { return Timestamp(value_ & ~u32{1}); }
  // When the thread wrote, of an access timestamp with flag.
  constexpr Timestamp written_at() const { return is_written() ? plain() : never(); }
  // This time, the flag of another.
  constexpr Timestamp flagged_as(Timestamp other) const {
    return Timestamp(value_ | (other.value_ & 1));
  }

  friend constexpr auto operator<=>(Timestamp, Timestamp) = default;

private:
  u32 value_ = 0;
};
static_assert(sizeof(Timestamp) == 4, "two of them shadow one cell: size is the tool's memory");

// Two neighbouring ones in a word.
inline void set_pair(Timestamp* timestamps, u64 pair) {
  __builtin_memcpy(static_cast<void*>(timestamps), &pair, sizeof pair);
}

constexpr u64 pair_of(Timestamp both) { return both.value() * u64{0x1'0000'0001}; }

// Four neighbouring ones in a vector, or two and zeros. They have 31 bits, so that they compare as
// numbers with sign.
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

// Calls visit(first, lanes) for vectors of kCells cells. Of an odd number the last overlaps
// another; an even one, as of what a routine pushes and pops, has none that does: loads of what two
// stores have just stored into would wait for both.
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

// Writes only where there is something to change: cells of pages that were never written to take
// no memory, and are never.
constexpr void change(Timestamp& cell, Timestamp to) {
  if (cell != to)
    cell = to;
}
