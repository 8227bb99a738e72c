#include "trace/call_stack.hpp"

void CallStack::begin(RoutineId routine, GuestAddr sp) { push(sp, 0, routine, 0); }

void CallStack::go_on_in(RoutineId routine, GuestAddr sp) {
  frames_.clear();
  frames_.emplace_back(sp, GuestAddr{0}, routine);
  root_is_elsewhere_ = true;
}

void CallStack::jump_to_entry(RoutineId routine, GuestAddr sp, GuestAddr site,
                              GuestAddr (*word_at)(GuestAddr)) {
  if (sp == stub_.slot) {
    leave_stub();
    if (stub_.return_address != 0)
      return call(routine, sp, stub_.return_address);
    site = stub_.site;
  }
  jump(sp);
  if (!frames_.empty() && frames_.back().routine == routine)
    return; // a loop back to the first instruction
  // The chain of tail calls that ends at the top: the frames with the same slot.
  std::size_t links = 0;
  for (std::size_t i = frames_.size(); i-- > 0 && frames_[i].slot == sp; links++)
    if (frames_[i].routine == routine) {
      for (; links > 0; links--) {
        sink::leave_tail_call();
        pop();
      }
      return;
    }
  const bool has_frame = frames_.empty() || frames_.back().slot == sp;
  push(sp, has_frame ? 0 : word_at(sp), routine, site);
}
