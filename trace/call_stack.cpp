#include "trace/call_stack.hpp"

#include "trace/sink.hpp"

void CallStack::push(GuestAddr slot, GuestAddr return_address, RoutineId routine, GuestAddr site) {
  frames_.emplace_back(slot, return_address, routine);
  sink::call(routine, site);
}

void CallStack::pop() {
  frames_.pop_back();
  sink::return_();
}

// Ends the frames below `sp`; true if one of them was to return to `target`.
bool CallStack::unwind(GuestAddr sp, GuestAddr target) {
  bool returned = false;
  while (!frames_.empty() && frames_.back().slot < sp) {
    const GuestAddr return_address = frames_.back().return_address;
    returned |= return_address == target;
    root_ended_ = return_address == 0;
    pop();
  }
  return returned;
}

void CallStack::begin(RoutineId routine, GuestAddr sp) { push(sp, 0, routine, 0); }

void CallStack::call(RoutineId routine, GuestAddr sp, GuestAddr return_address) {
  while (!frames_.empty() && frames_.back().slot <= sp) // left by a longjmp within one routine
    pop();
  // The byte before the return address is the call's last.
  push(sp, return_address, routine, return_address == 0 ? 0 : return_address - 1);
}

void CallStack::call_stub(GuestAddr sp, GuestAddr return_address) {
  stub_slot_ = sp;
  stub_return_address_ = return_address;
}

void CallStack::jump_to_entry(RoutineId routine, GuestAddr sp, GuestAddr site) {
  if (sp == stub_slot_) {
    stub_slot_ = 0;
    call(routine, sp, stub_return_address_);
    return;
  }
  jump(sp);
  if (!frames_.empty() && frames_.back().routine == routine)
    return; // a loop back to the first instruction
  // The chain of tail calls that ends at the top: frames of one slot.
  std::size_t links = 0;
  for (std::size_t i = frames_.size(); i-- > 0 && frames_[i].slot == sp; links++)
    if (frames_[i].routine == routine) {
      for (; links > 0; links--)
        pop();
      return;
    }
  push(sp, 0, routine, site);
}
