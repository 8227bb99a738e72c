// The shadow run-time stack S_t of a logical thread (§4.2). A base entry below the outermost
// activation collects everything that belongs to no activation.
//
// Invariant 2 of the paper holds for both metrics: the input size of an activation is the sum of
// the partial sizes from its entry to the top. Timestamps ascend strictly from base to top. Owns
// its entries, which move when it grows. Cost: push and pop O(1); finding an ancestor O(log depth).
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
  KeptArguments::Which kept; // which of `arguments` are set
  RoutineRecord* record;     // null: not collected (base entry, collection off)
  bool outermost = false; // no other activation of the routine, or execution of the loop, is below
  bool opens_collection = false; // of a routine that --toggle-collect names
  bool is_iteration = false;     // of `loop`, above the loop's execution
  // Partial input sizes, in cells: the RMS, and by how much the TRMS exceeds it. So the usual first
  // access, which counts for both, takes one addition. They become negative when descendants' later
  // first accesses outnumber the activation's own (Figure 11, line 8 of read).
  i64 rms = 0;
  i64 surplus = 0;
  // Induced first-accesses (Figure 11, line 2 of read) of the activation and its completed
  // descendants, and how many of them read values that the kernel wrote. At a return, the surplus
  // never exceeds `induced`.
  u64 induced = 0;
  u64 induced_by_kernel = 0;
  Costs at_entry; // the logical thread's clock
  Costs children; // inclusive cost of completed callees
  // For an execution of a loop or an iteration: the loop. These entries lie above their routine's
  // activation and have its record. Null for an activation.
  const Loop* loop = nullptr;
  u64 callees_rms = 0; // sum over completed callees
  // The remaining fields are set only in entries of loops, to keep calls fast.
  LoopRecord* loop_record;
  // Whether this execution is its own first iteration too; only for loops that are no leaves. Not
  // one of the bools above, which are set at once.
  u8 is_first_iteration;
  // In an iteration, or in an execution that is its own first iteration: not 0 once the loop's
  // condition holds. In other executions: completed iterations; for a leaf on top, see
  // Engine::leaf_trips.
  u64 trips;
  u64 iterations_rms; // sum over completed iterations
  // In an iteration: the values of its execution when the octave of the iteration's ordinal began.
  struct {
    u64 trips;
    u64 iterations_rms;
    i64 rms;
  } octave;

  u64 arguments[KeptArguments::kMost]; // of a routine; see `kept`

  bool is_loop() const { return loop != nullptr; }
  // Number of completed iterations of an execution.
  u64 completed() const { return is_first_iteration != 0 ? 0 : trips; }

  u64 induced_by_thread() const { return induced - induced_by_kernel; }
};

class ShadowStack {
public:
  Activation& top() { return entries_.back(); }
  const Activation& top() const { return entries_.back(); }
  std::size_t depth() const { return entries_.size(); } // including the base entry
  Activation& operator[](std::size_t i) { return entries_[i]; }
  const Activation& operator[](std::size_t i) const { return entries_[i]; }

  bool is_full() const { return entries_.is_full(); } // one more makes the entries move
  Activation& push(Timestamp ts, RoutineRecord* record, const Costs& clock) {
    return entries_.emplace_back(ts, record, clock);
  }
  void pop() { entries_.pop_back(); }

  // Returns the latest pending activation below `entry` that began at time `ts` or before, where
  // `ts` is before the beginning of `entry` (line 7 of read). The base entry always qualifies: the
  // thread accessed nothing before it. Most cells were last accessed by a caller near the top, so
  // this examines the kNear nearest entries, and returns null if it is none of them. Each has a
  // branch of its own, which is predicted better than that of a loop.
  [[gnu::always_inline]] static Activation* latest_near_below(Activation* entry, Timestamp ts) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kNear; i++) // ends at the base at the latest
      if ((--entry)->ts <= ts)
        return entry;
    return nullptr;
  }
  // The same beyond the nearest entries. Often it is the activation that was found last, as when an
  // array of a distant one is read again.
  Activation* latest_far_below(Activation* entry, Timestamp ts) {
    const std::size_t end = static_cast<std::size_t>(entry - entries_.begin()) - kNear;
    Activation* const last = entries_.begin() + last_far_;
    if (last_far_ < end && last->ts <= ts && last[1].ts > ts)
      return last;
    Activation* const found = latest_begun_by(ts, end);
    last_far_ = static_cast<std::size_t>(found - entries_.begin());
    return found;
  }

  // Returns the number of entries that began at `ts` or before, including the base. `near` is a
  // guess.
  std::size_t begun_by(Timestamp ts, std::size_t near) {
    if (near > 0 && entries_[near - 1].ts <= ts && (near == depth() || entries_[near].ts > ts))
      return near;
    if (entries_.begin()->ts > ts)
      return 0;
    return static_cast<std::size_t>(latest_begun_by(ts, depth()) - entries_.begin()) + 1;
  }

private:
  static constexpr std::size_t kNear = 8;

  // Bisects the `end` lowest entries, of which the base qualifies.
  [[gnu::noinline]] Activation* latest_begun_by(Timestamp ts, std::size_t end) {
    Activation* latest = entries_.begin();
    for (std::size_t among = end;
         among > 1;) { // the answer is one of `among` entries from `latest` on
      const std::size_t half = among / 2;
      latest += latest[half].ts <= ts ? half : 0; // a branch would be mispredicted half of the time
      among -= half;
    }
    return latest;
  }

  std::size_t last_far_ = 0;
  Vector<Activation> entries_{"aprof.shadow_stack"};
};
