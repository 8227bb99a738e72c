#include "trace/call_events.hpp"

#include "trace/client_memory.hpp"
#include "trace/loops/loop_jumps.hpp"
#include "trace/loops/loop_table.hpp"
#include "trace/markers.hpp"
#include "trace/sink.hpp"
#include "trace/split_stacks.hpp"
#include "trace/stacks.hpp"

RoutineTable* routines = nullptr;

namespace {

using threads::current;

// If a longjmp or an exception has just left a callee, control is at `target` in the routine on
// top. Ends the loops of that routine that do not contain `target`.
void leave_loops(GuestAddr target) {
  const GuestAddr left_call = current->calls.take_left_call();
  if (left_call != 0 && loops != nullptr && !current->calls.empty())
    loop_events::event_unwind(current->calls.top().routine, left_call, target);
}

// A tail call ends the loops of the routine that makes it.
void jump_to_entry(RoutineId routine, GuestAddr sp, GuestAddr site) {
  threads::look_for_segments(sp);
  CallStack& calls = current->calls;
  if (loops != nullptr && !calls.empty() && routine != calls.top().routine &&
      calls.calls_by_stub(sp) == 0)
    sink::in_loop(nullptr, calls.top().routine);
  calls.jump_to_entry(routine, sp, site, client_word);
}

// A control transfer to `target` while lazy binding is under way. The dynamic linker ends binding
// by removing all it pushed and jumping to the routine.
[[gnu::noinline]] void while_binding(GuestAddr target, GuestAddr sp, GuestAddr site) {
  if (sp < current->binding_slot)
    return;
  const bool bound = sp == current->binding_slot;
  current->binding_slot = 0;
  sink::resume();
  if (!bound) {
    event_jump(target, sp, site); // an exception or longjmp left the binder
    return;
  }
  const RoutineId routine = routines->called(target);
  // If it is a stub, it is the program's own, which stands for the routine.
  if (routine != RoutineId::stub)
    jump_to_entry(routine, sp, site);
}

// All calls but plain ones. Out of line, so that plain calls use no registers beyond those of the
// arguments.
[[gnu::noinline]] void other_call(RoutineId routine, GuestAddr sp, GuestAddr return_address) {
  threads::look_for_segments(sp);
  if (current->binding_slot == 0)
    current->calls.call(routine, sp, return_address);
}

[[gnu::noinline]] void other_call_indirect(GuestAddr target, GuestAddr sp,
                                           GuestAddr return_address) {
  if (current->binding_slot != 0 || split_stacks::continue_on(*current, target))
    return;
  const RoutineId routine = routines->called(target);
  if (routine == RoutineId::stub)
    current->calls.call_stub(sp, return_address);
  else
    event_call(routine, sp, return_address);
}

[[gnu::noinline]] void other_return(GuestAddr target, GuestAddr sp, GuestAddr site) {
  threads::look_for_segments(sp);
  if (current->binding_slot != 0)
    while_binding(target, sp, site);
  else if (!current->calls.return_to(target, sp)) {
    event_jump(target, sp, site);
    leave_loops(target);
  }
}

bool is_call_slot(const CallStack& calls, GuestAddr sp) {
  return sp == calls.stub_slot() || (!calls.empty() && sp == calls.top().slot);
}

[[gnu::noinline]] void other_jump(GuestAddr target, GuestAddr sp, GuestAddr site) {
  threads::look_for_segments(sp);
  if (current->binding_slot != 0) {
    while_binding(target, sp, site);
    return;
  }
  const RoutineId routine = routines->at_entry(target);
  CallStack& calls = current->calls;
  if (routine == RoutineId::none || routine == RoutineId::stub)
    calls.jump(sp);
  else
    jump_to_entry(routine, sp, site);
  if (routine == RoutineId::stub)
    calls.jump_to_stub(sp, site);
  // An unwinder (thread cancellation, exceptions) leaves handlers as it leaves routines.
  if (calls.has_root_ended() && threads::leave_handlers(sp))
    return other_jump(target, sp, site);
  if (calls.has_root_ended())
    calls.begin(routines->containing(target), sp); // such as the code that ends a signal handler
  else if (routine == RoutineId::none && !calls.empty() &&
           routines->is_nameless_elsewhere(target, calls.top().routine))
    jump_to_entry(routines->called(target), sp, site);
  leave_loops(target);
}

[[gnu::noinline]] void other_stub_jump(GuestAddr target, GuestAddr sp, GuestAddr site) {
  if (current->binding_slot != 0) {
    while_binding(target, sp, site);
    return;
  }
  // A stub that was called or tail-called jumps with the stack as the call left it. If the symbol
  // is unresolved, the parts of the stub have pushed two more words for the binder: the relocation
  // and the link map.
  CallStack& calls = current->calls;
  const GuestAddr slot = sp + 2 * sizeof(GuestAddr);
  if (!is_call_slot(calls, sp) && is_call_slot(calls, slot)) {
    current->binding_slot = slot;
    sink::suspend();
    return;
  }
  const RoutineId routine = routines->called(target);
  if (routine == RoutineId::stub) // to the next part of an unresolved stub
    return;
  jump_to_entry(routine, sp, site);
}

} // namespace

void event_call(RoutineId routine, GuestAddr sp, GuestAddr return_address) {
  if (current->binding_slot != 0 || !current->calls.plain_call(routine, sp, return_address))
      [[unlikely]]
    other_call(routine, sp, return_address);
  else
    sink::call(routine, return_address - 1);
}

void event_call_stub(GuestAddr sp, GuestAddr return_address) {
  if (current->binding_slot == 0)
    current->calls.call_stub(sp, return_address);
}

void event_call_indirect(GuestAddr target, GuestAddr sp, GuestAddr return_address) {
  const RoutineId routine = routines->known_called(target);
  if (routine == RoutineId::none) [[unlikely]]
    other_call_indirect(target, sp, return_address);
  else
    event_call(routine, sp, return_address);
}

void event_return(GuestAddr target, GuestAddr sp, GuestAddr site) {
  if (current->binding_slot != 0 || !current->calls.plain_return(target, sp)) [[unlikely]]
    other_return(target, sp, site);
}

void event_jump(GuestAddr target, GuestAddr sp, GuestAddr site) {
  loop_events::latest_jump = {site, target};
  const CallStack& calls = current->calls;
  if (current->binding_slot != 0 || calls.empty() || calls.top().slot < sp ||
      !routines->is_known_within(target, calls.top().routine)) [[unlikely]]
    other_jump(target, sp, site);
}

void event_arrive(GuestAddr target, GuestAddr sp, GuestAddr site) {
  if (!threads::complete_switch(sp) || current->binding_slot != 0) {
    event_return(target, sp, site);
    return;
  }
  CallStack& calls = current->calls;
  if (calls.return_to(target, sp))
    return;
  const RoutineId routine = routines->at_entry(target);
  if (routine != RoutineId::none && routine != RoutineId::stub)
    calls.call(routine, sp, 0); // a new stack begins; calls pending in its memory have ended
}

void event_stack_pointer_set(GuestAddr old_sp, GuestAddr sp) {
  threads::stack_pointer_set(old_sp, sp);
}

void event_jump_to_entry(RoutineId routine, GuestAddr sp, GuestAddr site) {
  if (current->binding_slot == 0)
    jump_to_entry(routine, sp, site);
}

void event_jump_to_stub(GuestAddr sp, GuestAddr site) {
  if (current->binding_slot == 0)
    current->calls.jump_to_stub(sp, site);
}

void event_stub_jump(GuestAddr target, GuestAddr sp, GuestAddr site) {
  CallStack& calls = current->calls;
  const RoutineId routine = routines->known_called(target);
  const GuestAddr return_address = calls.calls_by_stub(sp);
  if (current->binding_slot != 0 || return_address == 0 || routine == RoutineId::none)
      [[unlikely]] {
    other_stub_jump(target, sp, site);
    return;
  }
  calls.leave_stub();
  event_call(routine, sp, return_address);
}

void event_marker(u64 kind_and_since, u64 location) {
  if (current->binding_slot == 0)
    sink::marker(marker_kind(kind_and_since), location, marker_since(kind_and_since));
}
