// The run-time stacks of the client. Each thread has one, and one more for each level of signal
// handlers. A program that switches stacks itself (coroutines, by swapcontext and the like) has as
// many as it creates.
//
// A stack that was left is suspended. It is identified by the memory that it occupies, from the
// stack pointer where it was left up to where it began. It continues when the stack pointer of any
// thread comes back into that memory or into a copy of it. It ends when another stack grows into
// that memory, or when the memory is unmapped. Independent of Valgrind.
#pragma once

#include "base/types.hpp"
#include "base/vector.hpp"
#include "trace/call_stack.hpp"
#include "trace/sink.hpp"

#include <algorithm>

struct Stack {
  CallStack calls;
  sink::LogicalThread* logical = nullptr;
  GuestAddr binding_slot = 0;   // of the call that waits for lazy symbol binding; or 0
  GuestAddr highest = 0;        // stack pointer at the first instruction
  GuestAddr lowest = 0;         // where it was left or interrupted
  GuestAddr interrupted_at = 0; // by a signal: address of the next instruction
  u64 left_at = 0;              // number of that switch, in order
  ThreadIndex left_by{};
  bool shares_logical = false; // with the stack that it interrupts or is a segment of
  bool begun = false;          // its outermost frame exists
  // For a segment of a stack that continues in other memory (trace/split_stacks.hpp).
  Stack* beneath = nullptr;   // the segment that it continues; null: none
  bool is_undecided = false;  // it is a segment if it is called to continue
  GuestAddr continues_at = 0; // the address of that call

  // The outermost routine may have been entered slightly above the first stack pointer.
  bool has(GuestAddr sp) const { return lowest <= sp && sp <= top(); }
  GuestAddr top() const { return calls.empty() ? highest : std::max(highest, calls[0].slot + 8); }
};

namespace threads {

extern Stack* current; // the running stack

// Within a block, the running thread's stack pointer is not moved but set, from `old_sp` to `sp`.
// Either the thread switches to another stack, which is the running one from here on, or a jump
// leaves signal handlers, which keep running until the end of the block.
void stack_pointer_set(GuestAddr old_sp, GuestAddr sp);
// At the return or jump that ends such a block: completes the switch, or leaves the handlers.
// Returns whether the thread has switched stacks.
bool complete_switch(GuestAddr sp);

// If a jump to where `sp` is has left the running signal handlers for the code that they
// interrupted, ends them and returns true.
bool leave_handlers(GuestAddr sp);

// For a running stack that consists of segments. Call before a call, return or jump is reported:
// `sp` may show that the upper segments were left unnoticed.
void look_for_segments(GuestAddr sp);

} // namespace threads

// The suspended stacks of all threads. Finding one is O(log n); leaving a stack is O(n) with a
// small constant, because n pointers move.
class SuspendedStacks {
public:
  // Beyond this number, the stacks that were left longest ago end, because each has shadow memory
  // of its own.
  static constexpr std::size_t kMost = 1000;

  // `end` is called with the stacks that end thereby.
  template <typename End> void leave(Stack& stack, GuestAddr sp, ThreadIndex by, End end);
  // Whether `sp` is on one of them as it was left.
  bool holds(GuestAddr sp) const {
    const std::size_t i = first_reaching(sp);
    return i < stacks_.size() && stacks_[i]->lowest <= sp;
  }
  // Removes and returns the stack to which `sp` belongs; null if there is none.
  Stack* take(GuestAddr sp);
  // Removes and returns a stack whose memory was copied to another place, as Go's run-time library
  // does to enlarge it. `word_at` reads the client's word at an address; 0 if there is none.
  template <typename WordAt> Stack* take_moved(GuestAddr sp, ThreadIndex by, WordAt word_at);
  // Ends the stacks in memory that was unmapped.
  template <typename End> void unmapped(GuestAddr begin, GuestAddr end_address, End end);
  template <typename F> void take_all(F f);

  std::size_t size() const { return stacks_.size(); }

private:
  // A block may push before the instruction that switches, and leaf routines use memory below the
  // stack pointer.
  static constexpr GuestAddr kSlack = 512;

  std::size_t
  first_reaching(GuestAddr address) const; // index of the first whose top() is at or above it
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
  // Among coroutines with equal calls, take the one that this thread left last, in order to copy
  // it.
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
