// Tasks of OpenMP programs of gcc: hooks of the entry points of libgomp, which libomp provides,
// too.
//
// A task runs at once, within the call that creates it, because its if clause is made false. Before
// that, the call copies firstprivate variables, by a routine of the program if they are larger than
// words.
#include "base/lazy.hpp"
#include "trace/call_events.hpp"
#include "trace/guest_registers.hpp"
#include "work_span/runtimes/runtimes.hpp"
#include "work_span/runtimes/tasks.hpp"

#include <utility>

namespace libgomp {

using shadow::Hook;
using shadow::HookedCall;

namespace {

shadow::Thread& running() { return *shadow::running(); }

constexpr u64 kFinal = 1 << 1;     // GOMP_TASK_FLAG_FINAL
constexpr u64 kDepend = 1 << 3;    // GOMP_TASK_FLAG_DEPEND
constexpr u64 kIfClause = 1 << 10; // GOMP_TASK_FLAG_IF
constexpr u64 kNoGroup = 1 << 11;  // GOMP_TASK_FLAG_NOGROUP
constexpr u64 kDetach = 1 << 13;   // GOMP_TASK_FLAG_DETACH

constexpr std::size_t kSixthArgument = offsetof(VexGuestAMD64State, guest_R9);

// Adds the depend clauses, which are words in the client's memory:
//
//   short   count of all, of out; addresses of out, in
//   long    0, count of all, of out, of mutexinoutset, of in; addresses of these, then of depobjs
void depend(tasks::Task& child, const u64* words) {
  if (words == nullptr)
    return;
  const bool is_long = words[0] == 0;
  const u64 all = is_long ? words[1] : words[0];
  const u64 out = is_long ? words[2] : words[1];
  const u64 exclusive = is_long ? words[3] : 0;
  const u64 in = is_long ? words[4] : all - out;
  const u64* addresses = words + (is_long ? 5 : 2);
  for (u64 i = 0; i < all; i++) {
    constexpr Access kOfObject[] = {Access::write, Access::read, Access::write, Access::write,
                                    Access::exclusive};
    const auto* object = reinterpret_cast<const u64*>(addresses[i]);
    if (i < out)
      tasks::depend(child, addresses[i], Access::write);
    else if (i < out + exclusive)
      tasks::depend(child, addresses[i], Access::exclusive);
    else if (i < out + exclusive + in)
      tasks::depend(child, addresses[i], Access::read);
    else
      tasks::depend(child, object[0], object[1] < 5 ? kOfObject[object[1]] : Access::write);
  }
}

// Whether libomp would pass the task's variables without copying them if it is not deferred.
bool is_copied_wrongly(const HookedCall& call, u64 copies) {
  return copies != 0 && libomp::is_of_library(call);
}

// A detached task cannot run within the call, because the event that ends it may come later. Its
// event identifies it: the library stores it for the creator, and as the first of the task's
// variables.
struct Detached {
  RoutineId body;
  const HookedCall* created_by; // null: it has returned
  const u64* event_at;          // where the creator gets the event
  GuestAddr event;              // 0: not known yet
  tasks::Task* task;
};
Lazy<Vector<Detached>> not_begun{"cilkshadow.libgomp"};

void create_detached(const HookedCall& call, u64 flags) {
  const u64* stack = guest::stack();
  if (libomp::is_of_library(call) || (call.arguments[5] & 0xFF) == 0)
    return openmp::count_not_understood();
  tasks::Task* task = tasks::create_child(running(), (flags & kFinal) != 0);
  if ((flags & kDepend) != 0)
    depend(*task, reinterpret_cast<const u64*>(stack[2]));
  tasks::detach(*task);
  tasks::spawn_in_region(running(), *task);
  not_begun->push_back({routines->called(call.arguments[0]), &call,
                        reinterpret_cast<const u64*>(stack[4]), 0, task});
}

void know_event(Detached& of) {
  if (of.event != 0)
    return;
  of.event = *of.event_at;
  openmp::detached(of.event, *of.task);
}

void task_created(HookedCall& call) {
  for (Detached& created : *not_begun)
    if (created.created_by == &call) {
      know_event(created);
      created.created_by = nullptr;
    }
}

// Arguments: (body, data, copies, ..., if clause; flags, depend clauses, priority, event). Those
// after the sixth are on the stack, above the return address.
void create_task(HookedCall& call) {
  const u64* stack = guest::stack();
  const u64 flags = static_cast<u32>(stack[1]);
  if (is_copied_wrongly(call, call.arguments[2]))
    return openmp::count_not_understood();
  if ((flags & kDetach) != 0)
    return create_detached(call, flags);
  // In the call, it would wait for an event that the creator may fulfil after the call.
  if ((flags & kDepend) != 0 && openmp::is_event_awaited())
    return openmp::count_not_understood();
  tasks::Task* task = tasks::create_child(running(), (flags & kFinal) != 0);
  if ((flags & kDepend) != 0)
    depend(*task, reinterpret_cast<const u64*>(stack[2]));
  call.kept = task;
  guest::set(kSixthArgument, call.arguments[5] & ~u64{0xFF}); // if_clause
}

bool is_body(const HookedCall& call, RoutineId routine) {
  return routine == routines->called(call.arguments[0]);
}

bool task_begins(HookedCall& call, shadow::Thread& thread, RoutineId routine) {
  if (call.kept == nullptr || !is_body(call, routine))
    return false;
  const bool if_clause = (call.arguments[5] & 0xFF) != 0;
  tasks::run(thread, static_cast<tasks::Task*>(std::exchange(call.kept, nullptr)), if_clause);
  return true;
}

constexpr u64 kNoWait = 1 << 0; // GOMP_TARGET_FLAG_NOWAIT

// Arguments: (device, body, ...; flags, depend clauses, ...). A task on the host, since there is no
// other device. It may be deferred only with nowait.
void create_target(HookedCall& call) {
  auto* stack = reinterpret_cast<u64*>(guest::stack_pointer());
  tasks::Task* task = tasks::create_child(running(), false);
  depend(*task, reinterpret_cast<const u64*>(stack[2]));
  call.kept = task;
  call.arguments[0] = call.arguments[1]; // as in create_task
  call.arguments[5] = stack[1] & kNoWait;
  stack[1] &= ~kNoWait;
}

// An empty task with dependences, which its creator waits for unless it may be deferred.
void depend_on(u64 depend_clauses, bool may_be_deferred) {
  tasks::Task* empty = tasks::create_child(running(), false);
  depend(*empty, reinterpret_cast<const u64*>(depend_clauses));
  if (!may_be_deferred)
    return tasks::wait_for_dependences(running(), empty);
  tasks::run(running(), empty, true);
  tasks::end_current(running());
}

void wait_for_dependences(HookedCall& call) { depend_on(call.arguments[0], false); }

// Arguments: (device, ..., flags; depend clauses). Copies data, at once.
void copy_data(HookedCall& call) {
  depend_on(guest::stack()[1], (call.arguments[5] & kNoWait) != 0);
}

void begin_taskloop(HookedCall& call) {
  guest::set(kSixthArgument, call.arguments[5] & ~kIfClause);
  if ((call.arguments[5] & kNoGroup) == 0)
    tasks::begin_group(running());
}

bool taskloop_body_begins(HookedCall& call, shadow::Thread& thread, RoutineId routine) {
  if (!is_body(call, routine))
    return false;
  tasks::run(thread, tasks::create_child(thread, (call.arguments[5] & kFinal) != 0),
             (call.arguments[5] & kIfClause) != 0);
  return true;
}

void end_taskloop(HookedCall& call) {
  if ((call.arguments[5] & kNoGroup) == 0)
    tasks::end_group(running());
}

void wait_for_children(HookedCall&) { tasks::wait_for_children(running()); }

void begin_group(HookedCall&) { tasks::begin_group(running()); }
void end_group(HookedCall&) { tasks::end_group(running()); }

} // namespace

const Hook task_hooks[] = {
    {"GOMP_task", create_task, task_created, task_begins},
    {"GOMP_target_ext", create_target, nullptr, task_begins},
    {"GOMP_target_enter_exit_data", copy_data, nullptr},
    {"GOMP_target_update_ext", copy_data, nullptr},
    {"GOMP_taskloop*", begin_taskloop, end_taskloop, taskloop_body_begins},
    {"GOMP_taskwait", nullptr, wait_for_children},
    {"GOMP_taskwait_depend*", nullptr, wait_for_dependences},
    {"GOMP_taskgroup_start", begin_group, nullptr},
    {"GOMP_taskgroup_end", nullptr, end_group},
    {nullptr, nullptr, nullptr},
};

bool task_begins(shadow::Thread& thread, RoutineId routine) {
  Vector<Detached>* created = not_begun.if_used();
  for (std::size_t i = 0; created != nullptr && i < created->size(); i++) {
    Detached& task = (*created)[i];
    if (task.body != routine)
      continue;
    const u64 event = task.event != 0 ? task.event : *task.event_at;
    if (event == 0 || *reinterpret_cast<const u64*>(guest::argument(0)) != event)
      continue;
    know_event(task);
    tasks::Task* const begins = task.task;
    created->swap_remove(i);
    tasks::begin(thread, *begins);
    return true;
  }
  return false;
}

} // namespace libgomp
