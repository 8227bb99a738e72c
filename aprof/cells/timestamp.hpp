// Timestamps of the read/write timestamping algorithm (aprof-trms paper, §4.2): what a table ts_t
// or wts holds for a cell, and what an activation on a shadow stack began at.
//
// The counter takes even values only, so that the lowest bit is a flag:
//
//   in                                    even                    odd
//   wts                                   a thread wrote          the kernel wrote
//   ts_t of a chunk that one thread uses  the thread only read    the thread wrote
//   (shadow_memory.hpp) ts_t otherwise, S_t[i].ts             always                  never
//
// A kernelWrite is stamped with the odd value just below the counter that it advanced to. It is
// then later than every earlier access and earlier than every later one, as Figure 12 asks, and
// equals no thread's timestamp.
#pragma once

#include "base/types.hpp"

class Timestamp {
public:
  constexpr Timestamp() = default; // never
  constexpr explicit Timestamp(u32 value) : value_(value) {}

  static constexpr Timestamp never() { return Timestamp(); }
  constexpr bool is_never() const { return value_ == 0; }
  constexpr bool is_kernel_write() const { return (value_ & 1) != 0; } // of wts
  constexpr bool is_written() const { return (value_ & 1) != 0; }      // of ts_t
  constexpr u32 value() const { return value_; }

  // The counter's next value, and the stamp of a kernelWrite between the last value and this one.
  constexpr Timestamp next() const { return Timestamp(value_ + 2); }
  constexpr Timestamp kernel_write_before() const { return Timestamp(value_ - 1); }

  constexpr Timestamp written() const { return Timestamp(value_ | 1); }
  constexpr Timestamp plain() const { return Timestamp(value_ & ~u32{1}); }
  // When the thread wrote, according to the flag of its access timestamp.
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

// Writes only where the value differs: pages that were never written to take no memory, and read as
// never.
constexpr void change(Timestamp& cell, Timestamp to) {
  if (cell != to)
    cell = to;
}
