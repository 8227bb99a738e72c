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

// Four neighbouring ones in a vector. They have 31 bits, so that they compare as numbers with sign.
inline I32x4 four_at(const Timestamp* timestamps) { return load<I32x4>(timestamps); }
inline void set_four(Timestamp* timestamps, I32x4 four) { store(timestamps, four); }
constexpr I32x4 four_of(Timestamp all) {
  const auto value = static_cast<i32>(all.value());
  return I32x4{value, value, value, value};
}

// Calls visit(first) for each four of kCells cells, of which the last may overlap another.
template <std::size_t kCells, typename Visit>
[[gnu::always_inline]] inline void for_each_four(Visit visit) {
#pragma GCC unroll 16
  for (std::size_t first = 0; first + 4 <= kCells; first += 4)
    visit(first);
  if constexpr (kCells % 4 != 0)
    visit(kCells - 4);
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
    for_each_four<kCells>(
        [&](std::size_t first) { others |= four_at(cells + first) != four_of(stamp); });
    return !is_any(others);
  }
}

// Writes only where there is something to change: cells of pages that were never written to take
// no memory, and are never.
constexpr void change(Timestamp& cell, Timestamp to) {
  if (cell != to)
    cell = to;
}
