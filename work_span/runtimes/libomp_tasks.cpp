// Tasks of OpenMP programs of clang: hooks of the entry points of libomp (LLVM's kmp.h).
//
// libomp allocates the memory of a task, whose address identifies the task: after __kmpc_omp_task,
// whichever thread calls the task's entry with it runs the task. The tasks of a taskloop, whose
// allocation is not seen, run at once, within the call that creates them: the loop's if clause is
// made false.
#include "base/address_map.hpp"
#include "base/lazy.hpp"
#include "trace/call_events.hpp"
#include "trace/guest_registers.hpp"
#include "work_span/runtimes/runtimes.hpp"
#include "work_span/runtimes/tasks.hpp"

#include <utility>

namespace libomp {

using shadow::Hook;
using shadow::HookedCall;
using tasks::Task;

namespace {

shadow::Thread& running() { return *shadow::running(); }

constexpr u64 kFinal = 1 << 1; // kmp_tasking_flags_t

// Tasks that have not begun, by name; null: it has begun.
Lazy<AddressMap<Task*>> waiting{"cilkshadow.libomp"};

Task*& task_at(GuestAddr memory) { return waiting->at(memory); }

// The routine that a task runs: kmp_task_t begins with the addresses of its data and its entry.
RoutineId entry_of(GuestAddr task) {
  return routines->called(reinterpret_cast<const u64*>(task)[1]);
}

// Arguments: (location, thread, flags, ...). Returns the task.
void create_task(HookedCall& call) {
  Task* task = tasks::create_child(running(), (call.arguments[2] & kFinal) != 0);
  task->name = guest::result();
  task_at(task->name) = task;
}

// kmp_depend_info; there are `count` of them at `clauses`.
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

// Arguments: (location, thread, task). An untied task that spawns itself continues later, possibly
// in another thread.
void spawn_task(HookedCall& call) {
  shadow::Thread& thread = running();
  Task*& task = task_at(call.arguments[2]);
  if (tasks::current(thread).name == call.arguments[2])
    task = tasks::cut_current(thread);
  else if (task != nullptr)
    tasks::spawn_in_region(thread, *task);
}
// Arguments: (location, thread, task, count, clauses, ...)
void spawn_dependent_task(HookedCall& call) {
  if (Task* task = task_at(call.arguments[2]))
    depend(*task, call.arguments[3], call.arguments[4]);
  spawn_task(call);
}

// Arguments: (location, thread, task). The program itself calls the entry of a task that is not
// deferred.
void begin_undeferred(HookedCall& call) {
  if (Task* task = std::exchange(task_at(call.arguments[2]), nullptr))
    tasks::begin(running(), *task);
}
void end_undeferred(HookedCall&) {
  if (tasks::current(running()).parent != nullptr)
    tasks::end_current(running());
}

// Arguments: (location, thread, task). Returns the task's event.
void detach_task(HookedCall& call) {
  Task* task = task_at(call.arguments[2]);
  if (task == nullptr)
    return;
  tasks::detach(*task);
  openmp::detached(guest::result(), *task);
}

void wait_for_children(HookedCall&) { tasks::wait_for_children(running()); }
// Arguments: (location, thread, count, clauses, ...)
void wait_for_dependences(HookedCall& call) {
  Task* empty = tasks::create_child(running(), false);
  depend(*empty, call.arguments[2], call.arguments[3]);
  tasks::wait_for_dependences(running(), empty);
}

void begin_group(HookedCall&) { tasks::begin_group(running()); }
void end_group(HookedCall&) { tasks::end_group(running()); }

// Arguments: (location, thread, task, if, lower, upper, step, nogroup, ...)
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

} // namespace

const Hook task_hooks[] = {
    {"kmpc_omp_task_alloc", nullptr, create_task},
    {"kmpc_omp_target_task_alloc", nullptr, create_task},
    {"kmpc_task_allow_completion_event", nullptr, detach_task},
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
    {nullptr, nullptr, nullptr},
};

bool task_begins(shadow::Thread& thread, RoutineId routine) {
  Task** task = waiting->find(guest::argument(1));
  if (task == nullptr || *task == nullptr || entry_of(guest::argument(1)) != routine)
    return false;
  tasks::begin(thread, *std::exchange(*task, nullptr));
  return true;
}

} // namespace libomp
