// The call stack of one logical thread. It tells calls and returns from other jumps by the stack
// pointer.
//
// A frame is identified by its slot, the address of its return address, which is the value of the
// stack pointer at the routine's first instruction. A frame has ended once the stack pointer is
// above its slot, whether by a return, longjmp or an exception. A jump to the entry of another
// routine is a tail call: its frame has the same slot as the caller's, and both end together.
//
// If a routine is already in the chain of tail calls, a tail call to it continues that frame, so
// that mutual tail recursion needs only as many frames as routines. A procedure linkage stub is not
// a routine: the call is counted when the stub jumps to the routine. Independent of Valgrind.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/sink.hpp"

#include <utility>

struct Frame {
  GuestAddr slot;
  GuestAddr return_address; // 0: entered by a jump, or outermost
  RoutineId routine;
};

class CallStack {
public:
  // Begins the outermost frame, if it is unknown how its routine was entered.
  void begin(RoutineId routine, GuestAddr sp);
  // Begins the outermost frame of a routine that is pending on another stack and continues here;
  // the sink gets no event.
  void go_on_in(RoutineId routine, GuestAddr sp);

  // `sp`: the stack pointer after the call has pushed the return address.
  void call(RoutineId routine, GuestAddr sp, GuestAddr return_address);
  void call_stub(GuestAddr sp, GuestAddr return_address) {
    stub_ = {sp, return_address, return_address - 1};
  }
  // A jump at `site` to a stub; only needed to know the call sites of tail calls.
  void jump_to_stub(GuestAddr sp, GuestAddr site) { stub_ = {sp, 0, site}; }
  // A call of a known address, on a stack as compilers leave it. The caller reports it to the sink.
  // Returns false, and changes nothing, in any other case.
  [[gnu::always_inline]] bool plain_call(RoutineId routine, GuestAddr sp,
                                         GuestAddr return_address) {
    if (frames_.empty() || frames_.is_full() || frames_.back().slot <= sp)
      return false;
    enter(routine, sp, return_address);
    return true;
  }

  // `sp`: the stack pointer after the return. Returns true if this ended an activation whose return
  // address is `target`; otherwise the instruction served as a jump.
  bool return_to(GuestAddr target, GuestAddr sp) {
    if (frames_.empty() || frames_.back().slot >= sp)
      return false;
    return unwind(sp, target);
  }
  // A return that ends only the top frame. Returns false, and changes nothing, in any other case.
  [[gnu::always_inline]] bool plain_return(GuestAddr target, GuestAddr sp) {
    if (!is_plain_return(target, sp))
      return false;
    leave();
    sink::return_();
    return true;
  }

  // Push and pop the frame of a call that the caller reports to the sink.
  void enter(RoutineId routine, GuestAddr sp, GuestAddr return_address) {
    frames_.emplace_back(sp, return_address, routine);
  }
  void leave_stub() { stub_.slot = 0; } // after a call through the stub
  bool is_plain_return(GuestAddr target, GuestAddr sp) const {
    const std::size_t depth = frames_.size();
    return depth >= 2 && frames_[depth - 1].slot < sp && sp <= frames_[depth - 2].slot &&
           frames_[depth - 1].return_address == target;
  }
  void leave() {
    root_ended_ = false;
    frames_.pop_back();
  }

  // A jump to an address that is no routine's entry.
  void jump(GuestAddr sp) {
    if (!frames_.empty() && frames_.back().slot < sp)
      unwind(sp, 0);
  }
  // A jump at `site`, perhaps by a linkage stub, to the first instruction of `routine`. If the
  // jumping code was called without a frame, as a split-off piece of its routine is, then the
  // routine returns on behalf of that piece, to the return address that `word_at` reads (see
  // SuspendedStacks::take_moved).
  void jump_to_entry(RoutineId routine, GuestAddr sp, GuestAddr site,
                     GuestAddr (*word_at)(GuestAddr));

  // Of the frames at or above `sp`: the number of frames, counted from the outermost, whose return
  // addresses are still in the client's memory. If all of them are, the frames below `sp` are
  // included; otherwise some have been overwritten. `word_at` as in SuspendedStacks::take_moved.
  template <typename WordAt> std::size_t intact_depth(GuestAddr sp, WordAt word_at) const;
  void end_above(std::size_t depth) {
    while (frames_.size() > depth)
      pop();
  }
  // `return_address` is at address `sp`. If it is the return address of a frame near the top, and
  // `sp` is in a copy of the stack's memory, returns the distance from the original to the copy;
  // otherwise 0.
  template <typename WordAt>
  GuestAddr copied_by(GuestAddr sp, GuestAddr return_address, WordAt word_at) const;
  void move_by(GuestAddr distance) {
    for (Frame& frame : frames_)
      frame.slot += distance;
  }

  void end_all() { end_above(0); }
  // Removes all frames without reporting anything to the sink.
  void forget() {
    frames_.clear();
    root_ended_ = false;
    root_is_elsewhere_ = false;
    stub_.slot = 0;
    left_call_ = 0;
  }

  bool empty() const { return frames_.empty(); }
  // Whether the latest unwinding ended an outermost routine that was not entered by a call. The
  // code that runs next is then outermost itself, and not a caller whose call was never seen.
  bool has_root_ended() const { return frames_.empty() && root_ended_; }
  // If the latest unwinding was a longjmp or an exception that left a callee of the routine on top:
  // the return address of that call, once; otherwise 0.
  GuestAddr take_left_call() { return std::exchange(left_call_, 0); }
  std::size_t depth() const { return frames_.size(); }
  const Frame& operator[](std::size_t i) const { return frames_[i]; }
  const Frame& top() const { return frames_.back(); }

  // The return address of the call whose stub ends with this jump; 0 if it is not a stub's.
  GuestAddr calls_by_stub(GuestAddr sp) const {
    return sp == stub_.slot ? stub_.return_address : 0;
  }
  // Slot of the call or tail call whose linkage stub is running; 0 if none is known.
  GuestAddr stub_slot() const { return stub_.slot; }

private:
  void push(GuestAddr slot, GuestAddr return_address, RoutineId routine, GuestAddr site);
  void pop();
  // Ends the frames below `sp`, of which the top frame is one. Returns true if one of them was to
  // return to `target` (not 0); otherwise they were left by a jump.
  bool unwind(GuestAddr sp, GuestAddr target);

  Vector<Frame> frames_{"trace.call_stack"};
  bool root_ended_ = false;
  GuestAddr left_call_ = 0;
  bool root_is_elsewhere_ = false; // the outermost frame is not an activation
  // How the running linkage stub was entered.
  struct {
    GuestAddr slot = 0;           // 0: no stub is running
    GuestAddr return_address = 0; // 0: entered by a jump
    GuestAddr site = 0;
  } stub_;
};

inline void CallStack::push(GuestAddr slot, GuestAddr return_address, RoutineId routine,
                            GuestAddr site) {
  frames_.emplace_back(slot, return_address, routine);
  sink::call(routine, site);
}

inline void CallStack::pop() {
  frames_.pop_back();
  if (frames_.empty() && root_is_elsewhere_)
    root_is_elsewhere_ = false;
  else
    sink::return_();
}

inline bool CallStack::unwind(GuestAddr sp, GuestAddr target) {
  bool returned = false;
  for (std::size_t i = frames_.size(); !returned && i-- > 0 && frames_[i].slot < sp;)
    returned = target != 0 && frames_[i].return_address == target;
  do {
    root_ended_ = frames_.back().return_address == 0;
    left_call_ = returned ? 0 : frames_.back().return_address;
    if (!returned)
      sink::unwind();
    pop();
  } while (!frames_.empty() && frames_.back().slot < sp);
  return returned;
}

inline void CallStack::call(RoutineId routine, GuestAddr sp, GuestAddr return_address) {
  while (!frames_.empty() && frames_.back().slot <= sp) // left by a longjmp within one routine
    pop();
  // The byte before the return address is the last of the call instruction.
  push(sp, return_address, routine, return_address == 0 ? 0 : return_address - 1);
}

template <typename WordAt> std::size_t CallStack::intact_depth(GuestAddr sp, WordAt word_at) const {
  std::size_t depth = frames_.size();
  for (std::size_t i = frames_.size(); i-- > 0;) {
    if (frames_[i].slot < sp || frames_[i].return_address == 0)
      continue;
    if (word_at(frames_[i].slot) == frames_[i].return_address)
      return depth;
    depth = i;
  }
  return depth == frames_.size() ? depth : 0;
}

template <typename WordAt>
GuestAddr CallStack::copied_by(GuestAddr sp, GuestAddr return_address, WordAt word_at) const {
  // The code that copies the stack may have frames on it, too.
  constexpr std::size_t kNear = 3;
  for (std::size_t top = frames_.size(); top > 0 && top + kNear > frames_.size(); top--) {
    if (frames_[top - 1].return_address != return_address)
      continue;
    const GuestAddr distance = sp - frames_[top - 1].slot;
    bool equal = true;
    for (std::size_t i = top - 1; i-- > 0 && equal;)
      equal = frames_[i].return_address == 0 ||
              word_at(frames_[i].slot + distance) == frames_[i].return_address;
    if (equal)
      return distance;
  }
  return 0;
}
