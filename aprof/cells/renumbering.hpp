// Renumbering: replaces timestamps such that every comparison that matters gives the same result
// (aprof-trms paper, §4.4, Figure 13).
//
// The only comparisons are between a cell's ts_t, its wts, and the timestamps of activations. So a
// timestamp can be replaced by any other that is between the same two pending activations, if the
// order of the cell's ts_t and wts is kept. The interval from the beginning of one activation to
// that of the next has six values:
//
//   + 0  the activation's own timestamp; ts_t before wts, or with wts in another interval
//   + 2  wts of a write by a thread
//   + 3  wts of a write by the kernel (odd, as always)
//   + 4  ts_t not before wts, both in this interval
//
// The figure uses three; the others distinguish the kernel's writes. "Never" stays 0. There are two
// kinds of renumbering:
//
//   dense     The timestamps of activations become multiples of six. This is the paper's
//             renumbering.
//   in_place  The timestamps of activations stay, so that chunks can be renumbered one by one,
//             as packing does in order to leave few distinct ones. A ts_t that is not before wts
//             becomes the last value of the interval, so that wts need not change. Intervals
//             shorter than six are left unchanged.
//
// Owns nothing. Cost: a binary search among the pending activations for each timestamp that is in
// another interval than the one before.
#pragma once

#include "aprof/cells/timestamp.hpp"
#include "base/types.hpp"
#include "base/vector.hpp"

#include <algorithm>

class Renumbering {
public:
  enum class Kind { dense, in_place };

  // `activations`: the timestamps of all pending activations, ascending, the set A of the figure;
  // it must outlive this object. `end` is after all timestamps.
  Renumbering(Kind kind, const Vector<u32>& activations, u32 end)
      : kind_(kind), activations_(activations), end_(end) {}

  Timestamp activation(Timestamp ts) { return Timestamp(interval_of(ts, latest_).base); }
  Timestamp write(Timestamp wts) {
    if (wts.is_never() || !interval_of(wts, latest_write_).has_room)
      return wts;
    return Timestamp(latest_write_.base + (wts.is_kernel_write() ? 3 : 2));
  }
  // For an exclusive chunk, which has no wts.
  Timestamp access_alone(Timestamp ts) {
    return ts.is_never() ? ts : Timestamp(interval_of(ts.plain(), latest_).base).flagged_as(ts);
  }
  Timestamp access(Timestamp ts, Timestamp wts) {
    if (ts.is_never() || !interval_of(ts, latest_).has_room)
      return ts;
    const bool is_after =
        !wts.is_never() && interval_of(wts, latest_write_).first == latest_.first && wts <= ts;
    return Timestamp(is_after ? latest_.last : latest_.base);
  }
  // A timestamp after all others, once they are replaced by a dense renumbering.
  Timestamp end() const {
    return Timestamp(kFirst + kApart * (static_cast<u32>(activations_.size()) + 1));
  }

private:
  static constexpr u32 kFirst = 2; // the counter's first value
  static constexpr u32 kApart = 6;

  // The timestamps from the beginning of one activation to that of the next.
  struct Interval {
    u32 first = 1, next = 1; // empty
    u32 base = 0, last = 0;  // what `first` and the last timestamp are replaced by
    bool has_room = false;   // for six values
  };

  // Adjacent cells tend to be in the same interval, so the latest one is tried first.
  const Interval& interval_of(Timestamp ts, Interval& latest) const {
    if (ts.value() - latest.first < latest.next - latest.first)
      return latest;
    const u32* after = std::upper_bound(activations_.begin(), activations_.end(), ts.value());
    const auto rank = static_cast<u32>(after - activations_.begin());
    latest.first = rank == 0 ? kFirst : activations_[rank - 1];
    latest.next = after == activations_.end() ? end_ : *after;
    latest.base = kind_ == Kind::dense ? kFirst + kApart * rank : latest.first;
    latest.last = kind_ == Kind::dense ? latest.base + 4 : latest.next - 2;
    latest.has_room = kind_ == Kind::dense || latest.next - latest.first >= kApart;
    return latest;
  }

  Kind kind_;
  const Vector<u32>& activations_;
  u32 end_;
  Interval latest_;
  Interval latest_write_;
};
