// What timestamps can be replaced by, so that all comparisons that matter come out as before.
//
// Only comparisons of a cell's ts_t, its wts and activations' timestamps ever matter. So any
// timestamp can be replaced by one that tells between which two pending activations it lies, and
// how a cell's ts_t stands to its wts there (aprof-trms paper, §4.4, Figure 13). What lies between
// the beginning of an activation and of the next takes six values:
//
//     + 0  an activation's own timestamp; ts_t before wts, or wts between two others
//     + 2  wts of a thread's write
//     + 3  wts of a kernel's write (odd, as everywhere)
//     + 4  ts_t not before wts
//
// where the figure uses three: the others keep the kernel's writes apart. "Never" stays 0. In
// place, what is not before wts takes the interval's last value: wts may stay what it is.
#pragma once

#include "aprof/cells/timestamp.hpp"
#include "base/types.hpp"
#include "base/vector.hpp"

#include <algorithm>

class Renaming {
public:
  // Renumbering moves the activations' own timestamps together. Folding leaves them where they are,
  // and what lies between two that are too close for six values alone; few distinct timestamps
  // remain either way.
  enum class Kind { renumbering, folding };

  // `begun`: the activations' timestamps, ascending; `end` is after all timestamps.
  Renaming(Kind kind, const Vector<u32>& begun, u32 end) : kind_(kind), begun_(begun), end_(end) {}

  Timestamp activation(Timestamp ts) { return Timestamp(at(ts, latest_).base); }
  Timestamp write(Timestamp wts) {
    if (wts.is_never() || !at(wts, latest_write_).has_room)
      return wts;
    return Timestamp(latest_write_.base + (wts.is_kernel_write() ? 3 : 2));
  }
  // In an exclusive chunk, where nothing else matters.
  Timestamp access_alone(Timestamp ts) {
    return ts.is_never() ? ts : Timestamp(at(ts.plain(), latest_).base).flagged_as(ts);
  }
  Timestamp access(Timestamp ts, Timestamp wts) {
    if (ts.is_never() || !at(ts, latest_).has_room)
      return ts;
    const bool after =
        !wts.is_never() && at(wts, latest_write_).first == latest_.first && wts <= ts;
    return Timestamp(after ? latest_.last : latest_.base);
  }
  // After all that is renumbered.
  Timestamp end() const {
    return Timestamp(kFirst + kApart * (static_cast<u32>(begun_.size()) + 1));
  }

private:
  static constexpr u32 kFirst = 2; // the counter's first value
  static constexpr u32 kApart = 6;

  // From an activation's beginning to the next one's.
  struct Interval {
    u32 first = 1, next = 1; // none
    u32 base = 0, last = 0;  // what `first` and the last are replaced by
    bool has_room = false;   // for the six
  };

  // Neighbouring cells tend to share it.
  const Interval& at(Timestamp ts, Interval& latest) const {
    if (ts.value() - latest.first < latest.next - latest.first)
      return latest;
    const u32* after = std::upper_bound(begun_.begin(), begun_.end(), ts.value());
    const auto rank = static_cast<u32>(after - begun_.begin());
    latest.first = rank == 0 ? kFirst : begun_[rank - 1];
    latest.next = after == begun_.end() ? end_ : *after;
    latest.base = kind_ == Kind::renumbering ? kFirst + kApart * rank : latest.first;
    latest.last = kind_ == Kind::renumbering ? latest.base + 4 : latest.next - 2;
    latest.has_room = kind_ == Kind::renumbering || latest.next - latest.first >= kApart;
    return latest;
  }

  Kind kind_;
  const Vector<u32>& begun_;
  u32 end_;
  Interval latest_;
  Interval latest_write_;
};
