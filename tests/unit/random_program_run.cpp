// Runs random programs and generates their events.
#include "random_program.hpp"

std::vector<ClientEvent> RandomProgram::run(std::size_t events) {
  most_ = events;
  std::size_t next_look = 200;
  frames_ = {{hosted::kMain, hosted::kStackTop - 64}};
  while (events_.size() < most_) {
    const auto& bodies = routines_[hosted::kMain].bodies;
    execute(bodies[below(bodies.size())].actions);
    if (events_.size() >= next_look) {
      add(ClientEvent::How::look, 0, 0);
      next_look = 2 * events_.size();
    }
  }
  return std::move(events_);
}

void RandomProgram::add(ClientEvent::How how, u32 kind_and_site, GuestAddr sp, GuestAddr target,
                        GuestAddr address) {
  if (once_in(shape_.odd_event)) {
    if (once_in(2))
      sp += kWord * below(8) - 3 * kWord;
    else
      target += kWord;
  }
  events_.push_back({how, kind_and_site, sp, time_, target, address});
}

int RandomProgram::call(u32 routine, GuestAddr slot, GuestAddr return_address) {
  const auto& bodies = routines_[routine].bodies;
  const std::size_t which =
      once_in(shape_.other_body) ? below(bodies.size()) : frames_.size() % bodies.size();
  const Body& body = bodies[which];
  const int depth = static_cast<int>(frames_.size());
  frames_.push_back({routine, slot - body.frame_bytes - 2 * kWord});
  time_ += 1 + routine % 2;
  if (depth < kMostDepth && events_.size() < most_)
    for (const Action& action : body.actions) {
      if (action.kind == Action::Kind::tail_call) {
        if (once_in(6))
          break; // so that recursion ends
        const bool by_stub = action.by == Action::By::stub;
        if (!by_stub || !once_in(4)) // otherwise through a pointer to the stub
          add(ClientEvent::How::logged, action.kind_and_site, slot);
        if (by_stub)
          add(ClientEvent::How::stub_jump, action.of_stub, slot, hosted::entry_of(action.routine));
        frames_.pop_back();
        return call(action.routine, slot, return_address);
      }
      if (const int to = execute(action); to != kReturned && to != depth) {
        frames_.pop_back();
        return to;
      }
    }
  time_ += 1 + body.since;
  add(ClientEvent::How::logged, body.return_site, slot + kWord, return_address);
  frames_.pop_back();
  return kReturned;
}

int RandomProgram::execute(const std::vector<Action>& actions) {
  const int depth = static_cast<int>(frames_.size()) - 1;
  for (const Action& action : actions)
    if (const int to = execute(action); to != kReturned && to != depth)
      return to;
  return kReturned;
}

int RandomProgram::execute(const Action& action) {
  switch (action.kind) {
  case Action::Kind::work:
    time_ += once_in(shape_.other_work) ? below(1000) : action.amount;
    if (once_in(shape_.long_work))
      time_ += u64{1} << 33;
    return kReturned;
  case Action::Kind::call: return execute_call(action);
  case Action::Kind::marker:
    time_++;
    add(ClientEvent::How::logged, action.kind_and_site, sp());
    return kReturned;
  case Action::Kind::leaf_loop:
    for (u64 i = 0; i < action.amount; i++) {
      time_ += 3;
      if (const int to = execute_call(action); to != kReturned)
        return to;
    }
    return kReturned;
  case Action::Kind::loop: {
    add(ClientEvent::How::logged, action.kind_and_site, sp());
    const int depth = static_cast<int>(frames_.size()) - 1;
    for (u64 i = 0; i < action.amount; i++) {
      time_++;
      add(ClientEvent::How::logged, action.iteration, sp());
      if (const int to = execute(action.inner); to != kReturned && to != depth)
        return to;
    }
    time_++;
    add(ClientEvent::How::logged, action.end, sp());
    return kReturned;
  }
  case Action::Kind::jump: { // into the routine's cold part, or to code without a symbol
    const bool leaves = once_in(30);
    time_++;
    add(ClientEvent::How::jump, action.kind_and_site, sp(),
        leaves ? hosted::kNameless + 8 + hosted::kCodeBytes * below(2) : action.address + 100 * 8);
    return kReturned;
  }
  case Action::Kind::longjmp: return once_in(shape_.longjmp) ? longjmp() : kReturned;
  case Action::Kind::library: return execute_library(action);
  case Action::Kind::tail_call: return kReturned; // see call()
  }
  return kReturned;
}

int RandomProgram::execute_call(const Action& action) {
  time_ += 1 + action.since;
  const GuestAddr slot = sp() - kWord;
  const GuestAddr target = hosted::entry_of(action.routine);
  switch (action.by) {
  case Action::By::call:
  case Action::By::spawn_call: add(ClientEvent::How::logged, action.kind_and_site, slot); break;
  case Action::By::indirect:
    add(ClientEvent::How::indirect_call, action.kind_and_site, slot, target);
    break;
  case Action::By::stub:
    add(ClientEvent::How::logged, action.kind_and_site, slot);
    add(ClientEvent::How::stub_jump, action.of_stub, slot, target);
    break;
  }
  return call(action.routine, slot, action.address + kCallBytes);
}

// Calls a run-time library's routine, which may call back.
int RandomProgram::execute_library(const Action& action) {
  const GuestAddr slot = sp() - kWord;
  const GuestAddr return_address = action.address + kCallBytes;
  const int depth = static_cast<int>(frames_.size()) - 1;
  time_++;
  add(ClientEvent::How::call_now, 0, slot, hosted::entry_of(kLibrary), return_address);
  frames_.push_back({kLibrary, slot - 4 * kWord});
  time_ += 10;
  if (once_in(3)) {
    const GuestAddr from = hosted::entry_of(kLibrary) + 0x20;
    add(ClientEvent::How::call_now, 0, sp() - kWord, hosted::entry_of(action.routine), from);
    if (const int to = call(action.routine, sp() - kWord, from);
        to != kReturned && to != depth + 1) {
      frames_.pop_back();
      return to;
    }
  }
  time_ += 10;
  add(ClientEvent::How::return_now, 0, slot + kWord, return_address,
      hosted::entry_of(kLibrary) + 0x40);
  frames_.pop_back();
  return kReturned;
}

// To any frame of the program further down. It is seen at once, or with that frame's next event.
int RandomProgram::longjmp() {
  const auto to = static_cast<int>(below(frames_.size()));
  const Frame& frame = frames_[static_cast<std::size_t>(to)];
  if (frame.routine == kLibrary)
    return kReturned;
  const GuestAddr target = hosted::entry_of(frame.routine) + 0x800;
  time_++;
  switch (below(3)) {
  case 0: add(ClientEvent::How::jump_now, 0, frame.sp, target, kLongjmp); break;
  case 1: add(ClientEvent::How::jump, longjmp_, frame.sp, target); break;
  default: break;
  }
  return to;
}
