// OpenMP programs of gcc: hooks of the entry points of libgomp, which libomp provides, too.
//
// A task runs at once, within the call that creates it, because its if clause is made false. Before
// that, the call copies firstprivate variables, by a routine of the program if they are larger than
// words.
#include "trace/call_events.hpp"
#include "trace/guest_registers.hpp"
#include "work_span/order/locks.hpp"
#include "work_span/runtimes/runtimes.hpp"
#include "work_span/runtimes/tasks.hpp"
#include "work_span/runtimes/teams.hpp"

namespace libgomp {

using shadow::Hook;
using shadow::HookedCall;

namespace {

shadow::Thread& running() { return *shadow::running(); }

// Arguments: (body, data, threads, ...). `threads` is 1 also for a false if clause, and 0 without a
// clause.
void begin_parallel(HookedCall& call) {
  call.kept = teams::begin({.routine = routines->called(call.arguments[0]),
                            .count = 1,
                            .arguments = {call.arguments[1]}},
                           static_cast<u32>(call.arguments[2]));
}
// With a single thread, libomp does not divide a loop.
void begin_loop(HookedCall& call) {
  if (libomp::is_of_library(call))
    teams::begin_shared_loop();
}
void begin_parallel_loop(HookedCall& call) {
  begin_parallel(call);
  begin_loop(call);
}
void end_parallel(HookedCall& call) { teams::end(static_cast<teams::Team*>(call.kept)); }

// Whether a schedule divides the loop by thread number. If a loop has a task reduction, it is an
// argument.
bool is_static(u64 schedule) {
  constexpr u32 kMonotonic = u32{1} << 31; // enum gomp_schedule_type
  return (static_cast<u32>(schedule) & ~kMonotonic) == 1;
}
template <std::size_t kSchedule> void begin_loop_by(HookedCall& call) {
  if (!is_static(call.arguments[kSchedule]))
    begin_loop(call);
}

void arrive_at_barrier(HookedCall&) { teams::arrive(); }
void leave_barrier(HookedCall&) {
  teams::leave();
  teams::begin_share_by_number();
}

// Arguments: (cancelled). One thread adds up the results of a loop's tasks; the others wait for it.
void arrive_at_end_of_reduction(HookedCall& call) {
  if ((call.arguments[0] & 0xFF) == 0)
    teams::arrive();
}
void leave_end_of_reduction(HookedCall& call) {
  if ((call.arguments[0] & 0xFF) == 0)
    teams::leave();
}

// One thread gets null and executes the block; the others wait for its GOMP_single_copy_end.
void leave_single_copy(HookedCall&) {
  if (guest::result() != 0)
    teams::leave();
}
void end_single_copy(HookedCall&) { teams::arrive_late(); }

void begin_ordered(HookedCall&) { teams::begin_ordered(); }
void end_ordered(HookedCall&) { teams::end_ordered(); }

void end_loop(HookedCall&) { teams::next_chunk(false); } // unless it was told that there is no more
void next_chunk(HookedCall&) { teams::next_chunk((guest::result() & 0xFF) != 0); }

template <std::size_t kSchedule> void first_chunk_by(HookedCall& call) {
  if (!is_static(call.arguments[kSchedule]))
    next_chunk(call);
}

// A cancelled thread leaves its loop.
void cancelled(HookedCall&) {
  if ((guest::result() & 0xFF) != 0)
    teams::next_chunk(false);
}

// Tasks

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

// Arguments: (body, data, copies, ..., if clause; flags, depend clauses, ...). Those after the
// sixth are on the stack, above the return address. A detached task cannot run within the call,
// because the event that ends it may come later.
void create_task(HookedCall& call) {
  const u64* stack = guest::stack();
  const u64 flags = static_cast<u32>(stack[1]);
  if ((flags & kDetach) != 0 || is_copied_wrongly(call, call.arguments[2]))
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

// Locks

void enter_unnamed(HookedCall& call) {
  locks::acquired(locks::kUnnamedCritical, "critical", call.caller, call.returns_to);
}
void leave_unnamed(HookedCall&) { locks::released(locks::kUnnamedCritical); }
void enter_atomic(HookedCall& call) {
  locks::acquired(locks::kAtomic, "critical", call.caller, call.returns_to);
}
void leave_atomic(HookedCall&) { locks::released(locks::kAtomic); }
void enter_named(HookedCall& call) {
  locks::acquired(call.arguments[0], "critical", call.caller, call.returns_to);
}
void leave_named(HookedCall& call) { locks::released(call.arguments[0]); }

} // namespace

const Hook hooks[] = {
    {"GOMP_parallel", begin_parallel, end_parallel},
    {"GOMP_parallel_loop_*", begin_parallel_loop, end_parallel},
    {"GOMP_parallel_sections", begin_parallel, end_parallel},
    {"GOMP_parallel_reductions", begin_parallel, end_parallel},
    {"GOMP_barrier", arrive_at_barrier, leave_barrier},
    {"GOMP_barrier_cancel", arrive_at_barrier, leave_barrier},
    {"GOMP_loop_end_nowait", end_loop, nullptr},
    {"GOMP_loop_end", arrive_at_barrier, leave_barrier},
    {"GOMP_loop_end_cancel", arrive_at_barrier, leave_barrier},
    {"GOMP_sections_end", arrive_at_barrier, leave_barrier},
    {"GOMP_sections_end_cancel", arrive_at_barrier, leave_barrier},
    {"GOMP_single_copy_start", arrive_at_barrier, leave_single_copy},
    {"GOMP_single_copy_end", end_single_copy, leave_barrier},
    {"GOMP_workshare_task_reduction_unregister", arrive_at_end_of_reduction,
     leave_end_of_reduction},
    {"GOMP_ordered_start", nullptr, begin_ordered},
    {"GOMP_ordered_end", end_ordered, nullptr},
    {"GOMP_task", create_task, nullptr, task_begins},
    {"GOMP_target_ext", create_target, nullptr, task_begins},
    {"GOMP_target_enter_exit_data", copy_data, nullptr},
    {"GOMP_target_update_ext", copy_data, nullptr},
    {"GOMP_taskloop*", begin_taskloop, end_taskloop, taskloop_body_begins},
    {"GOMP_taskwait", nullptr, wait_for_children},
    {"GOMP_taskwait_depend*", nullptr, wait_for_dependences},
    {"GOMP_taskgroup_start", begin_group, nullptr},
    {"GOMP_taskgroup_end", nullptr, end_group},
    {"GOMP_loop_start", begin_loop_by<3>, first_chunk_by<3>},
    {"GOMP_loop_ordered_start", begin_loop_by<3>, first_chunk_by<3>},
    {"GOMP_loop_doacross_start", begin_loop_by<2>, first_chunk_by<2>},
    {"GOMP_loop_ull_start", begin_loop_by<4>, first_chunk_by<4>},
    {"GOMP_loop_ull_ordered_start", begin_loop_by<4>, first_chunk_by<4>},
    {"GOMP_loop_ull_doacross_start", begin_loop_by<2>, first_chunk_by<2>},
    {"GOMP_loop_*static_*", nullptr, nullptr}, // divided by thread number
    {"GOMP_loop_*_start", begin_loop, next_chunk},
    {"GOMP_loop_*_next", nullptr, next_chunk},
    {"GOMP_sections_start", nullptr, next_chunk},
    {"GOMP_sections2_start", nullptr, next_chunk},
    {"GOMP_sections_next", nullptr, next_chunk},
    {"GOMP_cancel", nullptr, cancelled},
    {"GOMP_cancellation_point", nullptr, cancelled},
    {"GOMP_critical_start", nullptr, enter_unnamed},
    {"GOMP_critical_end", leave_unnamed, nullptr},
    {"GOMP_atomic_start", nullptr, enter_atomic},
    {"GOMP_atomic_end", leave_atomic, nullptr},
    {"GOMP_critical_name_start", nullptr, enter_named},
    {"GOMP_critical_name_end", leave_named, nullptr},
    {nullptr, nullptr, nullptr},
};

} // namespace libgomp
