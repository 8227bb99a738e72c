// OpenMP programs of clang: the entry points of libomp (LLVM's kmp.h).
//
// A task's memory, which libomp allocates, names it: from __kmpc_omp_task on, whichever thread
// calls the task's entry with it runs the task. Tasks of a taskloop, whose memory is not seen
// allocated, run at once, within the call that creates them: the loop's if clause is made false.
// Sections are loops with a static schedule.
#include "base/address_map.hpp"
#include "base/lazy.hpp"
#include "base/pattern.hpp"
#include "trace/call_events.hpp"
#include "trace/guest_registers.hpp"
#include "work_span/order/locks.hpp"
#include "work_span/runtimes/runtimes.hpp"
#include "work_span/runtimes/tasks.hpp"
#include "work_span/runtimes/teams.hpp"

#include <algorithm>
#include <utility>

namespace libomp {

using shadow::Hook;
using shadow::HookedCall;
using tasks::Task;

namespace {

shadow::Thread& running() { return *shadow::running(); }

// Parallel regions: the entry points' arguments are (location, thread, ...).

// (location, thread, threads)
void push_threads(HookedCall& call) {
  tasks::current(running()).threads_once = static_cast<u32>(call.arguments[2]);
}
u32 take_threads() { return std::exchange(tasks::current(running()).threads_once, 0); }

// (location, count, body, arguments...) calls body(&thread, &thread of the team, arguments...)
void begin_parallel(HookedCall& call) {
  // Of a library that is linked with the program, the threads seem to be the program's, too.
  if (!is_of_library(call))
    openmp::count_not_understood();
  call.kept = teams::begin({.routine = routines->called(call.arguments[2]),
                            .first = 2,
                            .count = std::min(static_cast<u32>(call.arguments[1]), u32{3}),
                            .arguments = {call.arguments[3], call.arguments[4], call.arguments[5]}},
                           take_threads());
}
void end_parallel(HookedCall& call) { teams::end(static_cast<teams::Team*>(call.kept)); }

// The program itself calls the body.
void begin_serialised(HookedCall&) {
  take_threads();
  teams::begin({}, 1);
}
void end_serialised(HookedCall&) {
  if (teams::Team* team = tasks::current(running()).team; team != nullptr)
    teams::end(team);
}

void arrive_at_barrier(HookedCall&) { teams::arrive(); }
void leave_barrier(HookedCall&) { teams::leave(); }

// What copies on behalf of a thread of the others does so after the barrier in it.
bool copy_begins(HookedCall&, shadow::Thread&, RoutineId) {
  teams::observe_arrived();
  return false;
}

void begin_ordered(HookedCall&) { teams::begin_ordered(); }
void end_ordered(HookedCall&) { teams::end_ordered(); }

bool is_static(u64 schedule) {
  constexpr u32 kModifiers = u32{3} << 29; // enum sched_type
  switch (static_cast<u32>(schedule) & ~kModifiers) {
  case 33:
  case 34:
  case 65: // ordered
  case 66: return true;
  default: return false;
  }
}

// (location, thread, schedule, ...)
void begin_loop(HookedCall& call) {
  bool& by_thread_number = tasks::current(running()).shares_by_number;
  by_thread_number = is_static(call.arguments[2]);
  if (!by_thread_number)
    teams::begin_shared_loop();
}
void next_chunk(HookedCall&) {
  if (!tasks::current(running()).shares_by_number)
    teams::next_chunk(static_cast<u32>(guest::result()) != 0);
}

// It leaves the loop.
void cancelled(HookedCall&) {
  if (static_cast<u32>(guest::result()) != 0)
    teams::next_chunk(false);
}

// Reductions. As reduce returns, a thread's part has been added already (0); or the thread is to
// add it, in a critical section (1), or by atomic instructions (2); or, in teams larger than those
// that do so, it adds what is the sum of all (1). Until then, those whose part is added wait there.

constexpr u64 kMostInCriticalSections = 4;

bool adds_sum() {
  const teams::Team* team = tasks::current(running()).team;
  return team != nullptr && team->threads > kMostInCriticalSections && teams::all_have_arrived();
}

template <bool kBarrier> void reduce(HookedCall& call) {
  const u32 method = static_cast<u32>(guest::result());
  if (method == 0)
    return teams::leave();
  if (method == 1 && adds_sum()) {
    teams::observe_arrived();
    if (!kBarrier)
      teams::pass();
    return;
  }
  if (method == 1) {
    tasks::current(running()).reduction = reinterpret_cast<GuestAddr>(call.kept);
    locks::acquired(tasks::current(running()).reduction, "critical", call.caller);
  }
  if (!kBarrier)
    teams::withdraw();
}
void begin_reduce(HookedCall& call) {
  call.kept = reinterpret_cast<void*>(guest::stack()[1]); // the lock, its 7th argument
  teams::arrive();
}
void release_reduction(HookedCall&) {
  if (const GuestAddr lock = std::exchange(tasks::current(running()).reduction, 0))
    locks::released(lock);
}
void end_reduce(HookedCall& call) {
  release_reduction(call);
  teams::arrive_late();
}

// Tasks

constexpr u64 kFinal = 1 << 1; // kmp_tasking_flags_t

Lazy<AddressMap<Task*>> waiting{"cilkshadow.libomp"}; // by their memory

Task*& task_at(GuestAddr memory) {
  Task** known = waiting->find(memory);
  return known != nullptr ? *known : waiting->insert(memory, nullptr);
}

// kmp_task_t begins with its data's address and its entry.
RoutineId entry_of(GuestAddr task) {
  return routines->called(reinterpret_cast<const u64*>(task)[1]);
}

void create_task(HookedCall& call) {
  Task* task = tasks::create_child(running(), (call.arguments[2] & kFinal) != 0);
  task->name = guest::result();
  task_at(task->name) = task;
}

// kmp_depend_info
struct DependClause {
  u64 address;
  u64 length;
  u8 flags;
};

void depend(Task& task, u64 count, u64 clauses) {
  const auto* clause = reinterpret_cast<const DependClause*>(clauses);
  for (const auto* end = clause + static_cast<u32>(count); clause != end; clause++) {
    const u8 kind = clause->flags & 0xF;
    tasks::depend(task, clause->address,
                  kind == 1   ? Access::read
                  : kind == 4 ? Access::exclusive
                  : kind == 8 ? Access::set
                              : Access::write);
  }
}

void spawn_task(HookedCall& call) {
  shadow::Thread& thread = running();
  Task*& task = task_at(call.arguments[2]);
  if (tasks::current(thread).name == call.arguments[2])
    task = tasks::cut_current(thread); // untied: its next part
  else if (task != nullptr)
    tasks::spawn_in_region(thread, *task);
}
void spawn_dependent_task(HookedCall& call) {
  if (Task* task = task_at(call.arguments[2]))
    depend(*task, call.arguments[3], call.arguments[4]);
  spawn_task(call);
}

void begin_undeferred(HookedCall& call) {
  if (Task* task = std::exchange(task_at(call.arguments[2]), nullptr))
    tasks::begin(running(), *task);
}
void end_undeferred(HookedCall&) {
  if (tasks::current(running()).parent != nullptr)
    tasks::end_current(running());
}

void wait_for_children(HookedCall&) { tasks::wait_for_children(running()); }
void wait_for_dependences(HookedCall& call) {
  Task* empty = tasks::create_child(running(), false);
  depend(*empty, call.arguments[2], call.arguments[3]);
  tasks::wait_for_dependences(running(), empty);
}

void begin_group(HookedCall&) { tasks::begin_group(running()); }
void end_group(HookedCall&) { tasks::end_group(running()); }

// (location, thread, task, if, lower, upper, step, nogroup...)
bool has_group(const HookedCall& call) { return call.kept != nullptr; }
void begin_taskloop(HookedCall& call) {
  if (static_cast<u32>(guest::stack()[2]) == 0) {
    call.kept = &call;
    tasks::begin_group(running());
  }
  guest::set(offsetof(VexGuestAMD64State, guest_RCX), 0);
}
bool taskloop_body_begins(HookedCall& call, shadow::Thread& thread, RoutineId routine) {
  if (routine != entry_of(call.arguments[2]))
    return false;
  const Task* pattern = task_at(call.arguments[2]);
  tasks::run(thread, tasks::create_child(thread, pattern != nullptr && pattern->is_final),
             static_cast<u32>(call.arguments[3]) != 0);
  return true;
}
void end_taskloop(HookedCall& call) {
  if (Task* pattern = std::exchange(task_at(call.arguments[2]), nullptr))
    tasks::discard(pattern);
  if (has_group(call))
    tasks::end_group(running());
}

// Locks

void enter_critical(HookedCall& call) {
  locks::acquired(call.arguments[2], "critical", call.caller);
}
void leave_critical(HookedCall& call) { locks::released(call.arguments[2]); }

} // namespace

const Hook hooks[] = {
    {"kmpc_push_num_threads", push_threads, nullptr},
    {"kmpc_fork_call", begin_parallel, end_parallel},
    {"kmpc_fork_teams", begin_parallel, end_parallel},
    {"kmpc_serialized_parallel", nullptr, begin_serialised},
    {"kmpc_end_serialized_parallel", end_serialised, nullptr},
    {"kmpc_barrier", arrive_at_barrier, leave_barrier},
    {"kmpc_cancel_barrier", arrive_at_barrier, leave_barrier},
    {"kmpc_copyprivate", arrive_at_barrier, leave_barrier, copy_begins},
    {"kmpc_ordered", nullptr, begin_ordered},
    {"kmpc_end_ordered", end_ordered, nullptr},
    {"kmpc_dispatch_init_*", begin_loop, nullptr},
    {"kmpc_dispatch_next_*", nullptr, next_chunk},
    {"kmpc_cancel", nullptr, cancelled},
    {"kmpc_cancellationpoint", nullptr, cancelled},
    {"kmpc_reduce", begin_reduce, reduce<true>},
    {"kmpc_end_reduce", end_reduce, leave_barrier},
    {"kmpc_reduce_nowait", begin_reduce, reduce<false>},
    {"kmpc_end_reduce_nowait", release_reduction, nullptr},
    {"kmpc_omp_task_alloc", nullptr, create_task},
    {"kmpc_omp_target_task_alloc", nullptr, create_task},
    {"kmpc_omp_task", spawn_task, nullptr},
    {"kmpc_omp_task_with_deps", spawn_dependent_task, nullptr},
    {"kmpc_omp_task_begin_if0", nullptr, begin_undeferred},
    {"kmpc_omp_task_complete_if0", end_undeferred, nullptr},
    {"kmpc_omp_taskwait", nullptr, wait_for_children},
    {"kmpc_omp_wait_deps", nullptr, wait_for_dependences},
    {"kmpc_omp_taskwait_deps*", nullptr, wait_for_dependences},
    {"kmpc_taskgroup", begin_group, nullptr},
    {"kmpc_end_taskgroup", nullptr, end_group},
    {"kmpc_taskloop", begin_taskloop, end_taskloop, taskloop_body_begins},
    {"kmpc_taskloop_5", begin_taskloop, end_taskloop, taskloop_body_begins},
    {"kmpc_critical", nullptr, enter_critical},
    {"kmpc_critical_with_hint", nullptr, enter_critical},
    {"kmpc_end_critical", leave_critical, nullptr},
    {nullptr, nullptr, nullptr},
};

bool is_of_library(const HookedCall& call) {
  const Routine& entry = (*routines)[call.routine];
  return matches(VG_(basename)(routines->objects()[entry.object]), {"libomp*", "libiomp5*"});
}

bool task_begins(shadow::Thread& thread, RoutineId routine) {
  Task** task = waiting->find(guest::argument(1));
  if (task == nullptr || *task == nullptr || entry_of(guest::argument(1)) != routine)
    return false;
  tasks::begin(thread, *std::exchange(*task, nullptr));
  return true;
}

} // namespace libomp
