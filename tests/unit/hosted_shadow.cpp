#include "hosted_shadow.hpp"

#include "trace/call_events.hpp"
#include "trace/client_memory.hpp"
#include "trace/loops/loop_jumps.hpp"
#include "trace/loops/loop_table.hpp"
#include "trace/split_stacks.hpp"
#include "trace/stacks.hpp"
#include "work_span/runtimes/annotated_tasks.hpp"
#include "work_span/runtimes/divided_loops.hpp"
#include "work_span/runtimes/hooks.hpp"
#include "work_span/runtimes/named_regions.hpp"
#include "work_span/runtimes/routine_class_table.hpp"
#include "work_span/runtimes/tasks.hpp"
#include "work_span/state/sites.hpp"

namespace hosted {
Program program;
Sink no_sink;
Sink* current_sink = &no_sink;
} // namespace hosted

using hosted::current_sink;

void sink::call(RoutineId routine, GuestAddr site) { current_sink->call(routine, site); }
void sink::return_() { current_sink->return_(); }
void sink::unwind() { current_sink->unwind(); }
void sink::leave_tail_call() { current_sink->leave_tail_call(); }
void sink::marker(u32 kind, u64 location, u32 since) {
  current_sink->marker(kind, location, since);
}
event_log::Taken sink::take_batch(CallStack& calls, const event_log::Event* event,
                                  const event_log::Event* end, bool more_come) {
  return current_sink->take_batch(calls, event, end, more_come);
}
void sink::suspend() { current_sink->suspend(); }
void sink::resume() { current_sink->resume(); }

// No loops are found.
LoopTable* loops = nullptr;
loop_events::Jump loop_events::latest_jump;
void loop_events::event_unwind(RoutineId, GuestAddr, GuestAddr) {}
void sink::loop(const Loop&) {}
void sink::in_loop(const Loop*, RoutineId) {}
void sink::iteration(const Loop&) {}

// One stack without segments, which the test sets; its memory is never read.
Stack* threads::current = nullptr;
void threads::stack_pointer_set(GuestAddr, GuestAddr) {}
bool threads::complete_switch(GuestAddr) { return false; }
bool threads::leave_handlers(GuestAddr) { return false; }
void threads::look_for_segments(GuestAddr) {}
bool split_stacks::continue_on(Stack&, GuestAddr) { return false; }
GuestAddr client_word(GuestAddr) { return 0; }

// Routines: all are known from the beginning.
void RoutineTable::look_for_changes() {}
RoutineId RoutineTable::resolve(GuestAddr address) {
  return RoutineId{static_cast<u32>(address / hosted::kCodeBytes)};
}
RoutineId RoutineTable::at_entry(GuestAddr address) {
  if (address >= hosted::kStubs && address < hosted::kNameless)
    return RoutineId::stub;
  const bool is_entry = address < hosted::kStubs && address % hosted::kCodeBytes == 0;
  return is_entry ? resolve(address) : RoutineId::none;
}
RoutineId RoutineTable::called(GuestAddr address) {
  const RoutineId routine = at_entry(address);
  return routine != RoutineId::none ? routine : resolve(address);
}
bool RoutineTable::is_nameless_elsewhere(GuestAddr address, RoutineId routine) {
  return address >= hosted::kNameless && resolve(address) != routine;
}

RoutineClassTable* routine_classes = nullptr;
RoutineClass RoutineClassTable::classify(RoutineId routine) {
  if (index(routine) >= classes_.size()) {
    classes_.resize(index(routine) + 1);
    hooks_.resize(index(routine) + 1);
    overheads_.resize(index(routine) + 1);
  }
  return classes_[index(routine)] = hosted::program.class_of(routine);
}

SiteId SiteTable::look_up(const Caller& caller, RoutineId callee, RoutineClass) {
  for (u32 i = 0; i < sites_.size(); i++)
    if (sites_[i].caller == caller && sites_[i].callee == callee)
      return SiteId{i};
  Site site{};
  site.caller = caller;
  site.callee = callee;
  site.origin = hosted::program.origin_of(caller.address, callee);
  sites_.push_back(site);
  return SiteId{size() - 1};
}

// Run-time libraries and requests: there are no hooks, tasks, regions or loops that are divided.
bool divided_loops::is_body(const shadow::Thread&, RoutineId, RoutineClass, GuestAddr) {
  return false;
}
void divided_loops::body_begins(const shadow::Thread&) {}
void divided_loops::task_begins(const shadow::Thread&, RoutineId) {}
void shadow::hook_entered(Thread&, const Hook&, RoutineId) {}
void shadow::hook_returns(Thread&) {}
bool shadow::task_begins(Thread&, RoutineId) { return false; }
void tasks::end_current(shadow::Thread&) {}
void annotated_tasks::before_return(shadow::Thread&) {}
void named_regions::before_return(shadow::Thread&) {}
