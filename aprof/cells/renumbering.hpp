// What timestamps can be replaced by, so that all comparisons that matter come out as before
// (aprof-trms paper, §4.4, Figure 13).
//
// Only comparisons of a cell's ts_t, its wts and activations' timestamps ever matter. So any
// timestamp can be replaced by one that tells between which two pending activations it lies, and
// how a cell's ts_t stands to its wts there. The interval from the beginning of an activation to
// that of the next has six values:
//
//   + 0  an activation's own timestamp; ts_t before wts, or with wts in another interval
//   + 2  wts of a thread's write
//   + 3  wts of a kernel's write (odd, as everywhere)
//   + 4  ts_t not before wts, both in this interval
//
// where the figure uses three: the others tell the kernel's writes apart. "Never" stays 0. Two
// kinds:
//
//   dense     activations' own timestamps move together, to multiples of six: renumbering
//   in_place  activations' own timestamps stay, so that others can be replaced chunk by chunk, as
//             packing does: few distinct ones remain. ts_t not before wts becomes the interval's
//             last value, so that wts may stay what it is. Intervals too short for six stay as
//             they are.
//
// Owns nothing. Cost: a binary search among the pending activations for each timestamp that is not
// in the interval of the one before.
#pragma once

#include "aprof/cells/timestamp.hpp"
#include "base/types.hpp"
#include "base/vector.hpp"

#include <algorithm>

class Renumbering {
public:
  enum class Kind { dense, in_place };

  // `activations`: the timestamps of all that are pending, ascending, the set A of the figure;
  // `end` is after all timestamps. `activations` must outlive this.
  Renumbering(Kind kind, const Vector<u32>& activations, u32 end)
      : kind_(kind), activations_(activations), end_(end) {}

  Timestamp activation(Timestamp ts) { return Timestamp(interval_of(ts, latest_).base); }
  Timestamp write(Timestamp wts) {
    if (wts.is_never() || !interval_of(wts, latest_write_).has_room)
      return wts;
    return Timestamp(latest_write_.base + (wts.is_kernel_write() ? 3 : 2));
  }
  // In an exclusive chunk, where there is no wts.
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
  // After all timestamps, once they are replaced by those of a dense renumbering.
  Timestamp end() const {
    return Timestamp(kFirst + kApart * (static_cast<u32>(activations_.size()) + 1));
  }

private:
  static constexpr u32 kFirst = 2; // the counter's first value
  static constexpr u32 kApart = 6;

  // The timestamps from the beginning of an activation to that of the next.
  struct Interval {
    u32 first = 1, next = 1; // empty
    u32 base = 0, last = 0;  // what `first` and the last one are replaced by
    bool has_room = false;   // for six values
  };

  // Neighbouring cells tend to share the interval, so the latest one is tried first.
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
