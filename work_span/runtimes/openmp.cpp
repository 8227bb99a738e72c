// Hooks of routines that all OpenMP libraries have: locks, the number of threads, and what is not
// understood.
#include "base/address_map.hpp"
#include "base/lazy.hpp"
#include "trace/guest_registers.hpp"
#include "work_span/order/locks.hpp"
#include "work_span/runtimes/runtimes.hpp"
#include "work_span/runtimes/shares.hpp"
#include "work_span/runtimes/tasks.hpp"

#include <algorithm>
#include <utility>

namespace openmp {

using shadow::Hook;
using shadow::HookedCall;
using tasks::Task;

namespace {

void set(HookedCall& call) {
  locks::acquired(call.arguments[0], locks::kMutex, call.caller, call.returns_to);
}
void test(HookedCall& call) {
  if (static_cast<u32>(guest::result()) != 0)
    set(call);
}
void unset(HookedCall& call) { locks::released(call.arguments[0]); }
void init(HookedCall& call) { locks::renewed(call.arguments[0]); }

ControlVariables& control() { return tasks::current(*shadow::running()).control; }
void set_threads(HookedCall& call) { control().threads = static_cast<u32>(call.arguments[0]); }
void set_threads_of_fortran(HookedCall& call) {
  control().threads = *reinterpret_cast<const u32*>(call.arguments[0]);
}

// Arguments: (kind, chunk)
void set_schedule_to(u64 kind, i64 chunk) {
  constexpr u32 kMonotonic = u32{1} << 31; // omp_sched_t
  const u32 known = static_cast<u32>(kind) & ~kMonotonic;
  const bool is_known = 1 <= known && known <= static_cast<u32>(LoopKind::automatic);
  control().schedule = {is_known ? static_cast<LoopKind>(known) : LoopKind::unknown,
                        static_cast<u32>(std::max(chunk, i64{0}))};
}
void set_schedule(HookedCall& call) {
  set_schedule_to(call.arguments[0], static_cast<i32>(call.arguments[1]));
}
template <typename Chunk> void set_schedule_of_fortran(HookedCall& call) {
  set_schedule_to(*reinterpret_cast<const u32*>(call.arguments[0]),
                  *reinterpret_cast<const Chunk*>(call.arguments[1]));
}

// gcc's code for a loop with a static schedule asks for both, and so does a program that divides
// its work by itself. gcc uses earlier answers again, in any order.
void team_size(HookedCall&) { shares::team_size_is(static_cast<u32>(guest::result())); }
void thread_number(HookedCall&) { shares::thread_number_is(static_cast<u32>(guest::result())); }

u64 calls_not_understood = 0;
u64 ordered_as_taken = 0;

u64 awaited = 0;
Lazy<AddressMap<Task*>> by_event{
    "cilkshadow.openmp"}; // detached tasks; null: it has been fulfilled

void fulfil(HookedCall& call) {
  Task** task = by_event->find(call.arguments[0]);
  if (task == nullptr || *task == nullptr)
    return count_not_understood();
  awaited -= !(*task)->ends.empty();
  tasks::fulfil(*std::exchange(*task, nullptr));
}

} // namespace

const Hook hooks[] = {
    // Locks of both kinds, with hints, and Fortran's (omp_set_lock_). A pattern would also match
    // the program's own omp_set_blocks.
    {"omp_init_lock", init, nullptr},
    {"omp_init_lock_", init, nullptr},
    {"omp_init_lock_with_hint", init, nullptr},
    {"omp_init_lock_with_hint_", init, nullptr},
    {"omp_init_nest_lock", init, nullptr},
    {"omp_init_nest_lock_", init, nullptr},
    {"omp_init_nest_lock_with_hint", init, nullptr},
    {"omp_init_nest_lock_with_hint_", init, nullptr},
    {"omp_set_lock", nullptr, set},
    {"omp_set_lock_", nullptr, set},
    {"omp_set_nest_lock", nullptr, set},
    {"omp_set_nest_lock_", nullptr, set},
    {"omp_test_lock", nullptr, test},
    {"omp_test_lock_", nullptr, test},
    {"omp_test_nest_lock", nullptr, test},
    {"omp_test_nest_lock_", nullptr, test},
    {"omp_unset_lock", unset, nullptr},
    {"omp_unset_lock_", unset, nullptr},
    {"omp_unset_nest_lock", unset, nullptr},
    {"omp_unset_nest_lock_", unset, nullptr},
    {"omp_set_num_threads", set_threads, nullptr},
    {"omp_set_num_threads_", set_threads_of_fortran, nullptr},
    {"omp_set_num_threads_8_", set_threads_of_fortran, nullptr},
    {"omp_set_schedule", set_schedule, nullptr},
    {"omp_set_schedule_", set_schedule_of_fortran<i32>, nullptr},
    {"omp_set_schedule_8_", set_schedule_of_fortran<i64>, nullptr},
    {"omp_get_num_threads", nullptr, team_size},
    {"omp_get_thread_num", nullptr, thread_number},
    {"omp_fulfill_event", fulfil, nullptr},
    {"omp_fulfill_event_", fulfil, nullptr},
    {nullptr, nullptr, nullptr},
};

namespace {

// What schedule(runtime) stands for.
RunSchedule run_schedule(bool of_libomp) {
  RunSchedule schedule = control().schedule;
  if (schedule.kind == LoopKind::unset)
    if (const char* text = VG_(getenv)("OMP_SCHEDULE"))
      schedule = schedule_of(text);
  if (schedule.kind == LoopKind::unset)
    schedule.kind = of_libomp ? LoopKind::by_number : LoopKind::dynamic;
  return schedule;
}

} // namespace

bool find_schedule(RunSchedule of, bool of_libomp, LoopSchedule& found) {
  if (of.kind == LoopKind::unset)
    of = run_schedule(of_libomp);
  found.chunk = of.chunk;
  switch (of.kind) {
  case LoopKind::by_number: found.schedule = Schedule::by_number; break;
  case LoopKind::dynamic: found.schedule = Schedule::dynamic; break;
  case LoopKind::guided:
    found.schedule = of_libomp ? Schedule::guided_by_half : Schedule::guided;
    break;
  case LoopKind::automatic:
    // libomp: kmp_sch_guided_analytical_chunked, whose chunks differ by an iteration. libgomp: as
    // static, with the chunk that a dynamic schedule has by default.
    found = {of_libomp ? Schedule::guided_by_half : Schedule::by_number, 1};
    break;
  default: return false;
  }
  return true;
}
void detached(GuestAddr event, Task& task) {
  by_event->at(event) = &task;
  awaited += !task.ends.empty();
}
bool is_event_awaited() { return awaited > 0; }
void count_not_understood() { calls_not_understood++; }
u64 not_understood() { return calls_not_understood; }
void meet_ordered(LoopKind kind, bool of_libomp) {
  LoopSchedule found;
  if (find_schedule({.kind = kind}, of_libomp, found) && found.schedule != Schedule::dynamic)
    ordered_as_taken++;
}
u64 ordered_loops_as_taken() { return ordered_as_taken; }
void forget_totals() { calls_not_understood = ordered_as_taken = 0; }

} // namespace openmp
