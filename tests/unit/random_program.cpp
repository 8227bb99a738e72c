#include "random_program.hpp"

using event_log::Kind;
using event_log::kind_and_site;
using event_log::LogSite;
using hosted::kMain;

RandomProgram::RandomProgram(u64 seed, const ProgramShape& shape) : random_(seed), shape_(shape) {
  longjmp_ = kind_and_site({.kind = Kind::jump_within, .address = kLongjmp});
  routines_.resize(kSystem + 1);
  for (u32 routine = 1; routine <= kSystem; routine++) {
    if (routine == kLibrary)
      continue;
    const bool is_leaf = routine != kMain && (routine >= kCleanup || routine % 3 == 0);
    for (u64 bodies = 1 + below(3); bodies > 0; bodies--)
      routines_[routine].bodies.push_back(make_body(routine, is_leaf));
  }
}

RoutineClass RandomProgram::class_of(RoutineId routine) {
  switch (index(routine)) {
  case kLibrary: return RoutineClass::runtime;
  case kCleanup: return RoutineClass::cleanup;
  case kSystem: return RoutineClass::system;
  default: return RoutineClass::program;
  }
}

CallOrigin RandomProgram::origin_of(GuestAddr call, RoutineId callee) const {
  const auto known = origins_.find(call);
  CallOrigin origin = known == origins_.end() ? CallOrigin{} : known->second;
  if (class_of(callee) == RoutineClass::cleanup)
    origin.role = SpawnRole::no_child;
  return origin;
}

GuestAddr RandomProgram::next_instruction(u32 routine) {
  GuestAddr& next = next_in_.try_emplace(routine, hosted::entry_of(routine) + 4).first->second;
  return next += 8;
}

u32 RandomProgram::stub_jump(u32 callee) {
  return kind_and_site({.kind = Kind::stub_jump, .address = hosted::kStubs + callee * 16});
}

u32 RandomProgram::some_callee() {
  return once_in(12) ? kCleanup + static_cast<u32>(below(2))
                     : 2 + static_cast<u32>(below(kRoutines - 2));
}

RandomProgram::Body RandomProgram::make_body(u32 routine, bool is_leaf) {
  Body body;
  if (is_leaf)
    body.actions.push_back({.kind = Action::Kind::work, .amount = 1 + below(20)});
  else
    body.actions = make_actions(routine, 0);
  if (routine == kMain)
    body.actions.push_back(make_call(kMain, 2));
  body.since = below(4);
  const bool syncs = !is_leaf && once_in(2);
  body.return_site =
      kind_and_site({.kind = syncs ? Kind::sync_return : Kind::return_,
                     .address = next_instruction(routine),
                     .marker = syncs ? body.since << 32 | static_cast<u64>(Marker::sync) : 0,
                     .location = line(routine)});
  if (!syncs)
    body.since = 0;
  body.frame_bytes = 2 * kWord * below(3);
  if (routine != kMain && once_in(4)) {
    const GuestAddr address = next_instruction(routine);
    const bool by_stub = once_in(3);
    const u32 callee = some_callee();
    origins_[address] = {.location = line(routine)};
    const LogSite site = by_stub ? LogSite{.kind = Kind::jump_to_stub, .address = address}
                                 : LogSite{.kind = Kind::jump_to_entry,
                                           .routine = RoutineId{callee},
                                           .address = address};
    body.actions.push_back({.kind = Action::Kind::tail_call,
                            .by = by_stub ? Action::By::stub : Action::By::call,
                            .routine = callee,
                            .kind_and_site = kind_and_site(site),
                            .of_stub = stub_jump(callee)});
  }
  return body;
}

std::vector<RandomProgram::Action> RandomProgram::make_actions(u32 routine, int nesting) {
  std::vector<Action> actions;
  for (u64 count = 1 + below(5); count > 0; count--)
    switch (below(14)) {
    case 0:
    case 1:
    case 2: actions.push_back({.kind = Action::Kind::work, .amount = below(50)}); break;
    case 3:
    case 4:
    case 5: actions.push_back(make_call(routine, some_callee())); break;
    case 6:
    case 7: add_spawn(actions, routine); break;
    case 8: actions.push_back(make_marker(routine, static_cast<u32>(Marker::sync))); break;
    case 9: { // any kind, including unknown ones
      if (!shape_.has_mistakes)
        break;
      const u32 kind =
          once_in(2) ? static_cast<u32>(Marker::sync) : 1 + static_cast<u32>(below(10));
      actions.push_back(make_marker(routine, kind));
      break;
    }
    case 10: {
      Action loop = make_call(routine, 3 * (1 + static_cast<u32>(below(2)))); // a leaf
      loop.kind = Action::Kind::leaf_loop;
      loop.amount = 2 + below(5);
      actions.push_back(loop);
      break;
    }
    case 11: {
      if (nesting == 2)
        break;
      Action loop = make_marker(routine, static_cast<u32>(Marker::for_begin));
      loop.kind = Action::Kind::loop;
      loop.amount = below(6);
      loop.iteration = make_marker(routine, static_cast<u32>(Marker::for_iteration)).kind_and_site;
      loop.end = make_marker(routine, static_cast<u32>(Marker::for_end)).kind_and_site;
      loop.inner = make_actions(routine, nesting + 1);
      actions.push_back(loop);
      break;
    }
    case 12: {
      const GuestAddr address = next_instruction(routine);
      actions.push_back(
          {.kind = Action::Kind::jump,
           .address = address,
           .kind_and_site = kind_and_site({.kind = Kind::jump_within, .address = address})});
      break;
    }
    case 13:
      actions.push_back({.kind = once_in(2) ? Action::Kind::longjmp : Action::Kind::library,
                         .routine = some_callee(),
                         .address = next_instruction(routine)});
      break;
    }
  return actions;
}

RandomProgram::Action RandomProgram::make_call(u32 routine, u32 callee) {
  Action call{.kind = Action::Kind::call, .routine = callee};
  call.address = next_instruction(routine);
  const GuestAddr return_address = call.address + kCallBytes;
  origins_[return_address - 1] = {.location = line(routine),
                                  .inlined = once_in(8) ? 1 + static_cast<u32>(below(2)) : 0,
                                  .role = once_in(3) ? SpawnRole{static_cast<u8>(below(5))}
                                                     : SpawnRole::child};
  LogSite site{.kind = Kind::call, .routine = RoutineId{callee}, .address = return_address};
  switch (below(8)) {
  case 0:
    call.by = Action::By::indirect;
    site = {.kind = Kind::call_indirect, .address = return_address};
    break;
  case 1:
    call.by = Action::By::stub;
    site = {.kind = Kind::call_stub, .address = return_address};
    call.of_stub = stub_jump(callee);
    break;
  default: break;
  }
  call.kind_and_site = kind_and_site(site);
  return call;
}

RandomProgram::Action RandomProgram::make_marker(u32 routine, u32 kind) {
  const GuestAddr address = next_instruction(routine);
  return {
      .kind = Action::Kind::marker,
      .address = address,
      .kind_and_site = kind_and_site(
          {.kind = Kind::marker, .address = address, .marker = kind, .location = line(routine)})};
}

// In C or in C++, with or without calls for arguments and for the result, in one block or in two.
void RandomProgram::add_spawn(std::vector<Action>& actions, u32 routine) {
  const bool in_cxx = once_in(2);
  const u32 kind = static_cast<u32>(in_cxx ? Marker::spawn_begin : Marker::spawn);
  const u64 location = line(routine);
  const auto add_call = [&](bool of_line) {
    Action call = make_call(routine, some_callee());
    if (of_line)
      origins_[call.address + kCallBytes - 1].location = location;
    actions.push_back(call);
  };
  if (once_in(2)) {
    Action spawned = make_call(routine, some_callee());
    const GuestAddr return_address = spawned.address + kCallBytes;
    origins_[return_address - 1].location = once_in(8) ? line(routine) : location;
    spawned.by = Action::By::spawn_call;
    spawned.since = below(5);
    spawned.kind_and_site = kind_and_site({.kind = Kind::spawn_call,
                                           .routine = RoutineId{spawned.routine},
                                           .address = return_address,
                                           .marker = spawned.since << 32 | kind,
                                           .location = location});
    actions.push_back(spawned);
  } else {
    const GuestAddr address = next_instruction(routine);
    actions.push_back(
        {.kind = Action::Kind::marker,
         .address = address,
         .kind_and_site = kind_and_site(
             {.kind = Kind::marker, .address = address, .marker = kind, .location = location})});
    if (once_in(3))
      actions.push_back({.kind = Action::Kind::work, .amount = below(300)});
    if (!shape_.has_mistakes)
      add_call(true);
    for (u64 calls = below(3); calls > 0; calls--)
      add_call(in_cxx || shape_.has_mistakes ? !once_in(4) : false);
  }
  for (u64 calls = once_in(3) ? 1 + below(2) : 0; calls > 0; calls--)
    add_call(in_cxx || shape_.has_mistakes ? once_in(2) : false);
  if (in_cxx && !(shape_.has_mistakes && once_in(5)))
    actions.push_back(make_marker(routine, static_cast<u32>(Marker::spawn_end)));
}
