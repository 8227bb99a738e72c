// Timestamps of the read/write timestamping algorithm (aprof-trms paper, §4.2).
//
// The counter only takes even values, so that the lowest bit of a write timestamp can tell who
// wrote: a kernelWrite is stamped with the odd value just below the counter it advanced to. It is
// then later than every earlier access and earlier than every later one, as Figure 12 asks, and
// equals no thread's timestamp. In the access timestamps of memory that a single thread uses, it
// tells whether that thread wrote.
#pragma once

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

// Writes only where there is something to change: cells of pages that were never written to take
// no memory, and are never.
constexpr void change(Timestamp& cell, Timestamp to) {
  if (cell != to)
    cell = to;
}
