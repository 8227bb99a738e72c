#include "trace/call_stack.hpp"

void CallStack::begin(RoutineId routine, GuestAddr sp) { push(sp, 0, routine, 0); }

void CallStack::call_stub(GuestAddr sp, GuestAddr return_address) {
  stub_slot_ = sp;
  stub_return_address_ = return_address;
}

void CallStack::jump_to_entry(RoutineId routine, GuestAddr sp, GuestAddr site) {
  if (const GuestAddr return_address = leave_stub(sp); return_address != 0) {
    call(routine, sp, return_address);
    return;
  }
  jump(sp);
  if (!frames_.empty() && frames_.back().routine == routine)
    return; // a loop back to the first instruction
  // The chain of tail calls that ends at the top: frames of one slot.
  std::size_t links = 0;
  for (std::size_t i = frames_.size(); i-- > 0 && frames_[i].slot == sp; links++)
    if (frames_[i].routine == routine) {
      for (; links > 0; links--) {
        sink::leave_tail_call();
        pop();
      }
      return;
    }
  push(sp, 0, routine, site);
}
