// Timestamps of the read/write timestamping algorithm (aprof-trms paper, §4.2): the entries of ts_t
// and wts, and the beginnings of activations on a shadow stack.
//
// The counter takes even values only, so that the lowest bit is a flag:
//
//   in                                    even                    odd
//   wts                                   a thread wrote          the kernel wrote
//   ts_t of an exclusive chunk            the thread only read    the thread wrote
//     (shadow_memory.hpp)
//   any other ts_t, S_t[i].ts             always                  never
//
// A kernelWrite is stamped with the odd value just below the value to which it advances the
// counter. That is later than every earlier access and earlier than every later one, as Figure 12
// requires, and differs from every thread's timestamp.
#pragma once

#include "base/types.hpp"

class Timestamp {
public:
  constexpr Timestamp() = default; // never
  constexpr explicit Timestamp(u32 value) : value_(value) {}

  static constexpr Timestamp never() { return Timestamp(); }
  constexpr bool is_never() const { return value_ == 0; }
  constexpr bool is_kernel_write() const { return (value_ & 1) != 0; } // for wts
  constexpr bool is_written() const { return (value_ & 1) != 0; }      // for ts_t
  constexpr u32 value() const { return value_; }

  // The counter's next value, and the stamp of a kernelWrite between the previous value and this
  // one.
  constexpr Timestamp next() const { return Timestamp(value_ + 2); }
  constexpr Timestamp kernel_write_before() const { return Timestamp(value_ - 1); }

  constexpr Timestamp written() const { return Timestamp(value_ | 1); }
  constexpr Timestamp plain() const { return Timestamp(value_ & ~u32{1}); }
  // When the thread wrote the cell, by the flag of its access timestamp.
  constexpr Timestamp written_at() const { return is_written() ? plain() : never(); }
  // This time with the flag of `other`.
  constexpr Timestamp flagged_as(Timestamp other) const {
    return Timestamp(value_ | (other.value_ & 1));
  }

  friend constexpr auto operator<=>(Timestamp, Timestamp) = default;

private:
  u32 value_ = 0;
};
static_assert(sizeof(Timestamp) == 4, "two of them shadow one cell: size is the tool's memory");

// Stores only if the value differs: pages that were never stored to take no memory, and read as
// never.
constexpr void change(Timestamp& cell, Timestamp to) {
  if (cell != to)
    cell = to;
}
