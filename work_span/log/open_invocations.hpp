// Open invocations: those that have begun in the batch being read, have not returned yet, and are
// not known to the engine. Each may turn out to do the same as a known one. They form a stack on
// top of the engine's running frame, the outermost at the bottom, with the steps that each has done
// (steps.hpp).
//
// If an invocation cannot be converted to steps, or when the batch ends, the reader spills them: it
// turns them into frames of the engine. Owns no memory; O(1) per event.
#pragma once

#include "trace/event_log.hpp"
#include "trace/loops/loop.hpp"
#include "work_span/log/known_invocations.hpp"
#include "work_span/log/steps.hpp"

#include <utility>

namespace shadow {

struct OpenInvocation {
  // Flags in the opening word.
  static constexpr u64 kCallerPending = 1, kRoutinePending = 2, kSitePending = 4;
  static constexpr unsigned kFlagBits = 3;
  static constexpr u64 kIteration = u64{1} << 63;
  static constexpr unsigned kRoutineBit = 32; // for the routine of an iteration

  static u64 opening_of_iteration(u32 log_site, RoutineId routine, bool is_pending) {
    return kIteration | u64{index(routine)} << kRoutineBit | u64{log_site} << kFlagBits |
           (is_pending ? kRoutinePending : 0);
  }

  u64 opening;                   // its opening word
  const event_log::Event* event; // the event that begins it
  RoutineId routine;
  u32 called; // the lower half of its caller's step
  GuestAddr slot;
  GuestAddr return_address; // 0: a tail call; kNoAddress: an iteration
  u64 began;
  u64 latest;           // when its latest step ended
  u64* steps;           // beginning with the opening word
  u64 hash;             // of the steps
  SourceLocation spawn; // of the latest spawn in C, if no marker follows it; 0: none
  u32 open_spawns;      // in C++: lower bound of those that have not ended
  const Loop* began_in; // the loop that an iteration began in; null: none
  const Loop* loop;     // the innermost loop of its routine that it is in; null: none
  u64 top_loops; // below a leading 1, a bit for each loop that it has begun, the innermost last: no
                 // other execution of that loop was pending

  static constexpr SourceLocation kAnyLocation = ~SourceLocation{0};
  static constexpr GuestAddr kNoAddress = ~GuestAddr{0};
  static constexpr u32 kUnclear = 1 << 16; // more than there can be

  bool is_iteration() const { return (opening & kIteration) != 0; }
  bool is_tail_call() const { return return_address == 0; }
  SiteId site() const { return SiteId{static_cast<u32>(opening >> kFlagBits)}; }
  // A marker; for a spawn in C, at `location`.
  void pass(Marker marker, SourceLocation location) {
    spawn = marker == Marker::spawn ? location : 0;
    if (marker == Marker::spawn_begin)
      open_spawns++;
    else if (marker == Marker::spawn_end)
      open_spawns -= open_spawns > 0;
    else if (open_spawns > 0 && marker != Marker::spawn && marker != Marker::sync)
      open_spawns += kUnclear; // the end of a spawn is unknown until this scope or loop has ended
  }
  // Whether a call from there may be the child of a spawn, or show that another call was.
  bool is_in_spawn(SourceLocation call) const {
    return open_spawns > 0 || spawn == kAnyLocation || (spawn != 0 && spawn == call);
  }
  bool has_room_for_loop() const { return top_loops >> 63 == 0; }
  bool is_top_loop() const { return loop != began_in && (top_loops & 1) != 0; }
  void begin_loop(const Loop& inner, bool is_top) {
    loop = &inner;
    top_loops = top_loops << 1 | (is_top ? 1 : 0);
  }
  void end_loop() {
    loop = loop->parent;
    top_loops >>= 1;
  }
  // Make its site and routine pending in the engine's thread, and restore their previous state.
  void begin_pending(SpanThread& thread) const {
    if (!is_iteration())
      thread.pending.begin_call(site(), routine);
  }
  void end_pending(SpanThread& thread) const {
    if (!is_iteration())
      thread.pending.end_call(site(), routine,
                              {(opening & kSitePending) == 0, (opening & kRoutinePending) == 0});
  }
};

class OpenInvocations {
public:
  struct Memory {
    OpenInvocation invocations[1 + event_log::kEvents];
    // An event takes at most four words; an invocation takes one more until it is found or spilled.
    u64 steps[5 * event_log::kEvents];
  };
  explicit OpenInvocations(Memory& memory) : memory_(memory) {}

  bool empty() const { return top_ == memory_.invocations; }
  OpenInvocation& top() { return *top_; }
  const OpenInvocation& top() const { return *top_; }
  // Represents the engine's running frame: its slot, its routine, and whether that was pending.
  OpenInvocation& bottom() { return memory_.invocations[0]; }
  const OpenInvocation& beneath() const { return top_[-1]; }
  const OpenInvocation* begin() const { return memory_.invocations + 1; } // the outermost
  const OpenInvocation* end() const { return top_ + 1; }
  const u64* end_of_steps(const OpenInvocation& open) const {
    return &open == top_ ? next_ : (&open)[1].steps;
  }

  [[gnu::always_inline]] void push(u64 opening, const event_log::Event& event, RoutineId routine,
                                   u32 called, GuestAddr slot, GuestAddr return_address) {
    OpenInvocation& open = *++top_;
    open.opening = opening;
    open.event = &event;
    open.routine = routine;
    open.called = called;
    open.slot = slot;
    open.return_address = return_address;
    open.began = event.time;
    open.latest = event.time;
    open.steps = next_;
    open.hash = opening;
    open.spawn = 0;
    open.open_spawns = 0;
    open.began_in = open.loop = open.is_iteration() ? bottom().loop : nullptr;
    open.top_loops = 1;
    *next_++ = opening;
  }
  // The memory of the popped invocation may be used until another one is pushed.
  void pop() {
    next_ = top_->steps;
    top_--;
  }
  void clear() {
    top_ = memory_.invocations;
    next_ = memory_.steps;
  }

  // Adds a step, or a further word of one, to the top invocation. Returns false if the time since
  // the previous step does not fit.
  [[gnu::always_inline]] bool add_step(u32 what, u64 time) {
    const u64 after = time - std::exchange(top_->latest, time);
    if (after >> 32 != 0) [[unlikely]]
      return false;
    add_word(Step::word(what, after));
    return true;
  }
  void add_word(u64 word) { add_word(word, word); }
  void add_callee(const KnownInvocation& known) {
    add_word(reinterpret_cast<u64>(&known), known.number);
  }
  void remove_word() { next_--; } // the hash is not needed any more

private:
  [[gnu::always_inline]] void add_word(u64 word, u64 hashed) {
    *next_++ = word;
    top_->hash = KnownInvocations::hash(top_->hash, hashed);
  }

  Memory& memory_;
  u64* next_ = memory_.steps;
  OpenInvocation* top_ = memory_.invocations;
};

} // namespace shadow
