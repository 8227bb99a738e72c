#include "trace/split_stacks.hpp"

#include "base/memory.hpp"
#include "trace/client_memory.hpp"

namespace split_stacks {
namespace {

constexpr GuestAddr kWord = sizeof(GuestAddr);
constexpr u8 kReturn = 0xC3;

bool is_called_by_prologue(const CallStack& calls) {
  return calls.depth() >= 2 && calls.top().return_address != 0 &&
         calls[calls.depth() - 2].slot == calls.top().slot + kWord &&
         static_cast<u8>(client_word(calls.top().return_address)) == kReturn;
}

} // namespace

Stack* begin_segment(Stack& left, GuestAddr lowest, GuestAddr sp) {
  if (!is_called_by_prologue(left.calls))
    return nullptr;
  left.lowest = lowest;
  auto* segment = create<Stack>("trace.thread.stack");
  segment->logical = left.logical;
  segment->shares_logical = true;
  segment->begun = true;
  segment->highest = sp;
  segment->beneath = &left;
  segment->is_undecided = true;
  segment->continues_at = left.calls.top().return_address + 1;
  segment->calls.go_on_in(left.calls.top().routine, sp);
  return segment;
}

bool continue_on(Stack& stack, GuestAddr target) {
  if (!stack.is_undecided || stack.continues_at != target || stack.calls.depth() != 1)
    return false;
  stack.is_undecided = false;
  CallStack& calls = stack.beneath->calls;
  calls.end_above(calls.depth() - 1);
  stack.calls.go_on_in(calls.top().routine, stack.highest);
  return true;
}

Stack* leave_segments(Stack* stack, GuestAddr sp) {
  Stack* to = stack->beneath;
  while (to != nullptr && !to->has(sp))
    to = to->beneath;
  while (to != nullptr && stack != to) {
    stack->calls.end_all();
    Stack* const beneath = stack->beneath;
    destroy(stack);
    stack = beneath;
  }
  return to;
}

void forget_beneath(Stack& stack) {
  while (stack.beneath != nullptr) {
    Stack* const beneath = stack.beneath;
    stack.beneath = beneath->beneath;
    stack.shares_logical = beneath->shares_logical;
    destroy(beneath);
  }
}

} // namespace split_stacks
