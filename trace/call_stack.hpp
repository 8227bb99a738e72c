// Distinguishes calls and returns of one logical thread from jumps, by the stack pointer.
//
// A frame is known by its slot: the address of its return address, that is the stack pointer at
// its first instruction. A frame is gone when the stack pointer is above its slot, however that
// came about: return, longjmp, exception. A jump to another routine's entry is a tail call: its
// frame has the same slot and goes with the caller's.
//
// Decisions: a routine that is already in the chain of tail calls continues, so that mutual tail
// recursion needs no more frames than it has routines. A procedure linkage stub is no routine:
// the call is counted when the stub jumps to the routine. Knows nothing of Valgrind.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/sink.hpp"

#include <utility>

struct Frame {
  GuestAddr slot;
  GuestAddr return_address; // 0: entered by a jump, or the outermost
  RoutineId routine;
};

class CallStack {
public:
  // Outermost frame, when nothing is known of how its routine was entered.
  void begin(RoutineId routine, GuestAddr sp);
  // The same of a routine that is pending on another stack and goes on here: no event.
  void go_on_in(RoutineId routine, GuestAddr sp);

  // `sp`: the stack pointer after the call pushed its return address.
  void call(RoutineId routine, GuestAddr sp, GuestAddr return_address);
  void call_stub(GuestAddr sp, GuestAddr return_address) {
    stub_ = {sp, return_address, return_address - 1};
  }
  // A jump at `site` to a stub, if somebody wants to know where tail calls come from.
  void jump_to_stub(GuestAddr sp, GuestAddr site) { stub_ = {sp, 0, site}; }
  // A call by a known address with the stack as compilers leave it, which the caller is to report
  // to the sink. False, and nothing has happened, if this is another case.
  [[gnu::always_inline]] bool plain_call(RoutineId routine, GuestAddr sp,
                                         GuestAddr return_address) {
    if (frames_.empty() || frames_.is_full() || frames_.back().slot <= sp)
      return false;
    enter(routine, sp, return_address);
    return true;
  }

  // `sp`: the stack pointer after the return. True if it ended an activation that was to return to
  // `target`; otherwise the instruction was a jump in disguise.
  bool return_to(GuestAddr target, GuestAddr sp) {
    if (frames_.empty() || frames_.back().slot >= sp)
      return false;
    return unwind(sp, target);
  }
  // A return of the top frame alone. False, and nothing has happened, if this is another case.
  [[gnu::always_inline]] bool plain_return(GuestAddr target, GuestAddr sp) {
    if (!is_plain_return(target, sp))
      return false;
    leave();
    sink::return_();
    return true;
  }

  // A call and a return of the top frame, which the caller reports to the sink.
  void enter(RoutineId routine, GuestAddr sp, GuestAddr return_address) {
    frames_.emplace_back(sp, return_address, routine);
  }
  void leave_stub() { stub_.slot = 0; } // by which it was called
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
  // A jump at `site`, perhaps a linkage stub's, to the first instruction of `routine`. If the code
  // that jumps has been called without a frame, as a piece of its routine is, the routine returns
  // for it: to the address that `word_at` gives, as in SuspendedStacks::take_moved.
  void jump_to_entry(RoutineId routine, GuestAddr sp, GuestAddr site,
                     GuestAddr (*word_at)(GuestAddr));

  // Of the frames at or above `sp`, how many from the outermost on the client's memory still holds
  // the return addresses of, with those below `sp`: all, or fewer when others were written over
  // them. `word_at` as in SuspendedStacks::take_moved.
  template <typename WordAt> std::size_t intact_depth(GuestAddr sp, WordAt word_at) const;
  void end_above(std::size_t depth) {
    while (frames_.size() > depth)
      pop();
  }
  // `sp` is at `return_address`: if this is a frame's near the top, in a copy of the stack's
  // memory, how far the copy is from the original; otherwise 0.
  template <typename WordAt>
  GuestAddr copied_by(GuestAddr sp, GuestAddr return_address, WordAt word_at) const;
  void move_by(GuestAddr distance) {
    for (Frame& frame : frames_)
      frame.slot += distance;
  }

  void end_all() { end_above(0); }
  // Without a word to the sink.
  void forget() {
    frames_.clear();
    root_ended_ = false;
    root_is_elsewhere_ = false;
    stub_.slot = 0;
    left_call_ = 0;
  }

  bool empty() const { return frames_.empty(); }
  // Whether the latest unwinding ended an outermost routine that no call had entered: what goes on
  // is none that was pending unseen, but outermost itself.
  bool has_root_ended() const { return frames_.empty() && root_ended_; }
  // Where the call was to return to that the latest unwinding has left the routine on top in, by a
  // longjmp or an exception; 0: it was none, or has been taken.
  GuestAddr take_left_call() { return std::exchange(left_call_, 0); }
  std::size_t depth() const { return frames_.size(); }
  const Frame& operator[](std::size_t i) const { return frames_[i]; }
  const Frame& top() const { return frames_.back(); }

  // The return address of the call whose stub ends with a jump, 0 if it is none's.
  GuestAddr calls_by_stub(GuestAddr sp) const {
    return sp == stub_.slot ? stub_.return_address : 0;
  }
  // Slot of the call or tail call whose linkage stub is running, 0 if none is known.
  GuestAddr stub_slot() const { return stub_.slot; }

private:
  void push(GuestAddr slot, GuestAddr return_address, RoutineId routine, GuestAddr site);
  void pop();
  // Ends the frames below `sp`, of which the top is one; true if one was to return to `target`,
  // which is not 0. Otherwise a jump leaves them.
  bool unwind(GuestAddr sp, GuestAddr target);

  Vector<Frame> frames_{"trace.call_stack"};
  bool root_ended_ = false;
  GuestAddr left_call_ = 0;
  bool root_is_elsewhere_ = false; // the outermost frame is no activation's
  // How the linkage stub that runs was entered.
  struct {
    GuestAddr slot = 0;           // 0: none runs
    GuestAddr return_address = 0; // 0: by a jump
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
  // The byte before the return address is the call's last.
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
  constexpr std::size_t kNear = 3; // what copies the stack may have frames there, too
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
