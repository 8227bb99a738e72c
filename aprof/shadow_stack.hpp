// The shadow run-time stack S_t of a logical thread (§4.2), with a base entry below the outermost
// activation that takes what no activation owns.
//
// Invariant 2 of the paper, for both metrics: an activation's input size is the sum of the partial
// sizes from its entry to the top. Timestamps ascend strictly from base to top.
#pragma once

#include "aprof/timestamp.hpp"
#include "base/types.hpp"
#include "base/vector.hpp"

struct RoutineRecord;

struct Activation {
  Activation(Timestamp begun, RoutineRecord* of, const Costs& clock)
      : ts(begun), record(of), at_entry(clock) {}

  Timestamp ts;
  RoutineRecord* record;         // null: not collected (base entry, collection off)
  bool outermost = false;        // no other activation of the routine was pending
  bool opens_collection = false; // of a routine that --toggle-collect names
  // Partial input sizes, in cells: the RMS, and what the TRMS has beyond it, so that the common
  // first-access, which counts for both, is one addition. Below zero when later first-accesses of
  // descendants outnumber the activation's own (Figure 11, line 8 of read).
  i64 rms = 0;
  i64 surplus = 0;
  // Induced first-accesses (Figure 11, line 2 of read) of the activation and its completed
  // descendants, by who wrote the value.
  u64 induced_by_thread = 0;
  u64 induced_by_kernel = 0;
  Costs at_entry; // the logical thread's clock
  Costs children; // inclusive cost of completed callees

  bool has_induced() const {
    return (static_cast<u64>(surplus) | induced_by_thread | induced_by_kernel) != 0;
  }
};

class ShadowStack {
public:
  Activation& top() { return entries_.back(); }
  const Activation& top() const { return entries_.back(); }
  std::size_t depth() const { return entries_.size(); } // with the base entry
  Activation& operator[](std::size_t i) { return entries_[i]; }
  const Activation& operator[](std::size_t i) const { return entries_[i]; }

  bool is_full() const { return entries_.is_full(); } // one more makes them move
  Activation& push(Timestamp ts, RoutineRecord* record, const Costs& clock) {
    return entries_.emplace_back(ts, record, clock);
  }
  void pop() { entries_.pop_back(); }

  // The latest pending activation that had begun at time `ts`, which is before the top one's and
  // after the stack's beginning (line 7 of read). Most cells were last accessed by a caller near
  // the top, so the search starts there.
  [[gnu::noinline]] Activation* latest_below_top(Timestamp ts) {
    constexpr std::ptrdiff_t kNear = 8;
    Activation* const base = entries_.begin();
    Activation* last = entries_.end() - 2;
    Activation* const far = last - base > kNear ? last - kNear : base - 1;
    for (; last > far; last--)
      if (last->ts <= ts)
        return last;
    return last < base ? nullptr : latest_begun_by(ts, static_cast<std::size_t>(last - base) + 1);
  }

  // How many had begun by then.
  std::size_t begun_by(Timestamp ts) {
    const Activation* latest = latest_begun_by(ts, depth());
    return latest == nullptr ? 0 : static_cast<std::size_t>(latest - entries_.begin()) + 1;
  }

private:
  // The same among the `end` lowest, by bisection.
  [[gnu::noinline]] Activation* latest_begun_by(Timestamp ts, std::size_t end) {
    std::size_t begin = 0; // the answer is the last of entries_[0..begin)
    while (begin < end) {
      const std::size_t middle = (begin + end) / 2;
      if (entries_[middle].ts <= ts)
        begin = middle + 1;
      else
        end = middle;
    }
    return begin == 0 ? nullptr : &entries_[begin - 1];
  }

  Vector<Activation> entries_{"aprof.shadow_stack"};
};
