// The run-time stacks of the client. Each thread has one, and one more for each level of signal
// handlers; a program that switches stacks by itself (coroutines: swapcontext and its like) has as
// many as it makes.
//
// A stack that was left waits among the suspended ones, known by the memory it occupies: from where
// it was left up to where it began. It goes on when the stack pointer comes back into that memory,
// in whichever thread, or to a copy of that memory; it is over when another stack grows into that
// memory, or when the memory is unmapped. Knows nothing of Valgrind.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/call_stack.hpp"
#include "trace/sink.hpp"

#include <algorithm>

struct Stack {
  CallStack calls;
  sink::LogicalThread* logical = nullptr;
  GuestAddr binding_slot = 0;   // slot of the call that waits for lazy symbol binding, or 0
  GuestAddr highest = 0;        // stack pointer at the first instruction
  GuestAddr lowest = 0;         // where it was left or interrupted
  GuestAddr interrupted_at = 0; // by a signal: the instruction to go on with
  u64 left_at = 0;              // by the order of leaving
  ThreadIndex left_by{};
  bool shares_logical = false; // with the stack that it interrupts, or is a segment of
  bool begun = false;          // its outermost frame exists
  // Of a segment of a stack that goes on in other memory (trace/split_stacks.hpp).
  Stack* beneath = nullptr;   // the segment that it goes on from; null: it is none
  bool is_undecided = false;  // whether it is one: if it is called to go on
  GuestAddr continues_at = 0; // there

  // The outermost routine may have been entered a little above the first stack pointer.
  bool has(GuestAddr sp) const { return lowest <= sp && sp <= top(); }
  GuestAddr top() const { return calls.empty() ? highest : std::max(highest, calls[0].slot + 8); }
};

namespace threads {

extern Stack* current; // the one that runs now

// Within a block, the stack pointer of the running thread is not moved but set, from `old_sp` to
// `sp`: perhaps the stack is left by a switch to another, which is from here on the running one, or
// handlers are by a jump, which run to the end of the block.
void stack_pointer_set(GuestAddr old_sp, GuestAddr sp);
// At the end of such a block, by a return or jump: whether there was a switch.
bool has_switched(GuestAddr sp);

// If the running stack consists of segments: a call, return or jump is about to be reported, by
// which `sp` may show that those above were left unnoticed.
void look_for_segments(GuestAddr sp);

} // namespace threads

// Finding is O(log n), leaving O(n) with a small constant: n pointers move.
class SuspendedStacks {
public:
  // More than these, and those left longest ago end: each has shadow memory of its own.
  static constexpr std::size_t kMost = 1000;

  // `end` gets the stacks that are over because of it.
  template <typename End> void leave(Stack& stack, GuestAddr sp, ThreadIndex by, End end);
  // Whether `sp` is on one of them as it was left.
  bool holds(GuestAddr sp) const {
    const std::size_t i = first_reaching(sp);
    return i < stacks_.size() && stacks_[i]->lowest <= sp;
  }
  // The stack to which `sp` belongs, no longer suspended; null if there is none.
  Stack* take(GuestAddr sp);
  // The same, if the stack was moved by copying its memory, as Go's run-time library does for a
  // larger one: `word_at` gives what the client has at an address, 0 if nothing.
  template <typename WordAt> Stack* take_moved(GuestAddr sp, ThreadIndex by, WordAt word_at);
  // The memory was unmapped.
  template <typename End> void unmapped(GuestAddr begin, GuestAddr end_address, End end);
  template <typename F> void take_all(F f);

  std::size_t size() const { return stacks_.size(); }

private:
  // A block may push before the instruction that leaves, and leaf routines use what is below.
  static constexpr GuestAddr kSlack = 512;

  std::size_t first_reaching(GuestAddr address) const; // whose top() is at or above
  void remove(std::size_t i);

  Vector<Stack*> stacks_{"trace.stacks.suspended"}; // ascending, disjoint
  u64 times_left_ = 0;
};

template <typename End>
void SuspendedStacks::leave(Stack& stack, GuestAddr sp, ThreadIndex by, End end) {
  stack.lowest = sp;
  stack.highest = std::max(stack.top(), sp);
  stack.left_at = ++times_left_;
  stack.left_by = by;
  unmapped(stack.lowest, stack.highest + 1, end);
  const std::size_t place = first_reaching(sp);
  stacks_.push_back(&stack);
  std::rotate(stacks_.begin() + place, stacks_.end() - 1, stacks_.end());
  if (stacks_.size() <= kMost)
    return;
  std::size_t oldest = 0;
  for (std::size_t i = 1; i < stacks_.size(); i++)
    if (stacks_[i]->left_at < stacks_[oldest]->left_at)
      oldest = i;
  Stack* over = stacks_[oldest];
  remove(oldest);
  end(over);
}

template <typename End>
void SuspendedStacks::unmapped(GuestAddr begin, GuestAddr end_address, End end) {
  for (std::size_t i = first_reaching(begin);
       i < stacks_.size() && stacks_[i]->lowest < end_address;) {
    Stack* over = stacks_[i];
    remove(i);
    end(over);
  }
}

template <typename WordAt>
Stack* SuspendedStacks::take_moved(GuestAddr sp, ThreadIndex by, WordAt word_at) {
  const GuestAddr return_address = word_at(sp);
  if (return_address == 0)
    return nullptr;
  // Of coroutines with equal calls, the one that this thread left last: to copy it.
  const auto is_likelier = [by](const Stack* a, const Stack* b) {
    return a->left_by == b->left_by ? a->left_at > b->left_at : a->left_by == by;
  };
  std::size_t found = stacks_.size();
  for (std::size_t i = 0; i < stacks_.size(); i++)
    if ((found == stacks_.size() || is_likelier(stacks_[i], stacks_[found])) &&
        stacks_[i]->calls.copied_by(sp, return_address, word_at) != 0)
      found = i;
  if (found == stacks_.size())
    return nullptr;
  Stack* stack = stacks_[found];
  remove(found);
  stack->calls.move_by(stack->calls.copied_by(sp, return_address, word_at));
  stack->highest = sp;
  return stack;
}

template <typename F> void SuspendedStacks::take_all(F f) {
  for (Stack* stack : stacks_)
    f(stack);
  stacks_.clear();
}
