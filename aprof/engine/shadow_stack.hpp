// The shadow run-time stack S_t of a logical thread (§4.2), with a base entry below the outermost
// activation that takes what no activation owns.
//
// Invariant 2 of the paper, for both metrics: an activation's input size is the sum of the partial
// sizes from its entry to the top. Timestamps ascend strictly from base to top. Owns its entries,
// which move when it grows. Cost: push and pop O(1), the search for an ancestor O(log depth).
#pragma once

#include "aprof/cells/timestamp.hpp"
#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/kept_arguments.hpp"

class LoopRecord;
class RoutineRecord;
struct Loop;

struct Activation {
  Activation(Timestamp begun, RoutineRecord* of, const Costs& clock)
      : ts(begun), record(of), at_entry(clock) {}

  Timestamp ts;
  KeptArguments::Which kept;     // of `arguments`
  RoutineRecord* record;         // null: not collected (base entry, collection off)
  bool outermost = false;        // no other activation of the routine, or execution of the loop
  bool opens_collection = false; // of a routine that --toggle-collect names
  bool is_iteration = false;     // of `loop`, above its execution
  // Partial input sizes, in cells: the RMS, and what the TRMS has beyond it, so that the common
  // first-access, which counts for both, is one addition. Below zero when later first-accesses of
  // descendants outnumber the activation's own (Figure 11, line 8 of read).
  i64 rms = 0;
  i64 surplus = 0;
  // Induced first-accesses (Figure 11, line 2 of read) of the activation and its completed
  // descendants, and those of them whose value the kernel wrote. No return finds more surplus.
  u64 induced = 0;
  u64 induced_by_kernel = 0;
  Costs at_entry; // the logical thread's clock
  Costs children; // inclusive cost of completed callees
  // Of an execution of a loop, or an iteration of one: they lie above their routine's activation,
  // and have its record. Null: a routine's.
  const Loop* loop = nullptr;
  u64 callees_rms = 0; // of completed callees, each for itself
  // The rest is set for entries of loops alone, as a call must be quick.
  LoopRecord* loop_record;
  u8 is_first_iteration; // and execution in one, of a loop that is no leaf; bools are set at once
  // Counted by translated code: iterations of a leaf; of an iteration, not 0 when its loop's
  // condition holds. Of other executions: completed iterations.
  u64 trips;
  u64 iterations_rms; // of completed iterations, each for itself
  // Of an iteration: its execution's numbers when the octave of the iteration's ordinal began.
  struct {
    u64 trips;
    u64 iterations_rms;
    i64 rms;
  } octave;

  u64 arguments[KeptArguments::kMost]; // of a routine's; those that are `kept`

  bool is_loop() const { return loop != nullptr; }
  u64 completed() const {
    return is_first_iteration != 0 ? 0 : trips;
  } // iterations; an execution's

  u64 induced_by_thread() const { return induced - induced_by_kernel; }
};

class ShadowStack {
public:
  Activation& top() { return entries_.back(); }
  const Activation& top() const { return entries_.back(); }
  std::size_t depth() const { return entries_.size(); } // with the base entry
  Activation& operator[](std::size_t i) { return entries_[i]; }
  const Activation& operator[](std::size_t i) const { return entries_[i]; }

  bool is_full() const { return entries_.is_full(); } // one more makes the entries move
  Activation& push(Timestamp ts, RoutineRecord* record, const Costs& clock) {
    return entries_.emplace_back(ts, record, clock);
  }
  void pop() { entries_.pop_back(); }

  // Returns the latest pending activation below `entry` that had begun at time `ts`, which is
  // before `entry` had (line 7 of read). The base always had: the thread accessed nothing before.
  // Most cells were last accessed by a caller near the top, so this looks at the kNear nearest, and
  // returns null if it is none of them. Each has a branch of its own, which is predicted better
  // than a loop's.
  [[gnu::always_inline]] static Activation* latest_near_below(Activation* entry, Timestamp ts) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kNear; i++) // at the latest, the base ends it
      if ((--entry)->ts <= ts)
        return entry;
    return nullptr;
  }
  // The same beyond the nearest. Often it is the activation found last, as where a far one's array
  // is read again.
  Activation* latest_far_below(Activation* entry, Timestamp ts) {
    const std::size_t end = static_cast<std::size_t>(entry - entries_.begin()) - kNear;
    Activation* const last = entries_.begin() + last_far_;
    if (last_far_ < end && last->ts <= ts && last[1].ts > ts)
      return last;
    Activation* const found = latest_begun_by(ts, end);
    last_far_ = static_cast<std::size_t>(found - entries_.begin());
    return found;
  }

  // Returns how many had begun at `ts`, the base included. `near` is a guess.
  std::size_t begun_by(Timestamp ts, std::size_t near) {
    if (near > 0 && entries_[near - 1].ts <= ts && (near == depth() || entries_[near].ts > ts))
      return near;
    if (entries_.begin()->ts > ts)
      return 0;
    return static_cast<std::size_t>(latest_begun_by(ts, depth()) - entries_.begin()) + 1;
  }

private:
  static constexpr std::size_t kNear = 8;

  // Bisects the `end` lowest, of which the base had begun.
  [[gnu::noinline]] Activation* latest_begun_by(Timestamp ts, std::size_t end) {
    Activation* latest = entries_.begin();
    for (std::size_t among = end; among > 1;) { // the answer is one of so many from `latest` on
      const std::size_t half = among / 2;
      latest += latest[half].ts <= ts ? half : 0; // a branch would be mispredicted half of the time
      among -= half;
    }
    return latest;
  }

  std::size_t last_far_ = 0;
  Vector<Activation> entries_{"aprof.shadow_stack"};
};
