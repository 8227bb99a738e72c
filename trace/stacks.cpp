#include "trace/stacks.hpp"

std::size_t SuspendedStacks::first_reaching(GuestAddr address) const {
  const auto* found = std::lower_bound(
      stacks_.begin(), stacks_.end(), address,
      [](const Stack* stack, GuestAddr wanted) { return stack->highest < wanted; });
  return static_cast<std::size_t>(found - stacks_.begin());
}

void SuspendedStacks::remove(std::size_t i) {
  std::rotate(stacks_.begin() + i, stacks_.begin() + i + 1, stacks_.end());
  stacks_.pop_back();
}

Stack* SuspendedStacks::take(GuestAddr sp) {
  const std::size_t i = first_reaching(sp);
  if (i == stacks_.size() || sp + kSlack < stacks_[i]->lowest)
    return nullptr;
  Stack* stack = stacks_[i];
  remove(i);
  return stack;
}
