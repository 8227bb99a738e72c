// OpenMP programs of clang: hooks of the entry points of libomp (LLVM's kmp.h), except those of
// tasks. Sections are loops with a static schedule.
#include "base/pattern.hpp"
#include "trace/call_events.hpp"
#include "trace/guest_registers.hpp"
#include "work_span/order/locks.hpp"
#include "work_span/runtimes/divided_loops.hpp"
#include "work_span/runtimes/runtimes.hpp"
#include "work_span/runtimes/shares.hpp"
#include "work_span/runtimes/tasks.hpp"
#include "work_span/runtimes/teams.hpp"

#include <algorithm>
#include <utility>

namespace libomp {

using shadow::Hook;
using shadow::HookedCall;

namespace {

shadow::Thread& running() { return *shadow::running(); }

// Parallel regions

// Arguments: (location, thread, threads)
void push_threads(HookedCall& call) {
  tasks::current(running()).threads_once = static_cast<u32>(call.arguments[2]);
}
u32 take_threads() { return std::exchange(tasks::current(running()).threads_once, 0); }

// Arguments: (location, count, body, arguments...). Calls body(&thread, &thread of the team,
// arguments...).
void begin_parallel(HookedCall& call) {
  // If libomp is linked statically, its threads seem to be the program's.
  if (!is_of_library(call))
    openmp::count_not_understood();
  call.kept = teams::begin({.routine = routines->called(call.arguments[2]),
                            .first = 2,
                            .count = std::min(static_cast<u32>(call.arguments[1]), u32{3}),
                            .arguments = {call.arguments[3], call.arguments[4], call.arguments[5]}},
                           take_threads());
}
void end_parallel(HookedCall& call) { teams::end(static_cast<teams::Team*>(call.kept)); }

// The program itself calls the body of a region that has one thread.
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

// The library calls a routine that copies the values of another thread, after the barrier in this
// call.
bool copy_begins(HookedCall&, shadow::Thread&, RoutineId) {
  teams::observe_arrived();
  return false;
}

void begin_ordered(HookedCall&) { teams::begin_ordered(); }
void end_ordered(HookedCall&) { teams::end_ordered(); }

// enum sched_type; with kOrdered added for loops with ordered sections
constexpr u32 kStaticChunked = 33, kStatic = 34, kDynamic = 35, kGuided = 36, kRuntime = 37,
              kAuto = 38, kOrdered = 32;

struct LoopType {
  LoopKind kind;
  bool is_ordered;
};
LoopType type_of(u64 schedule) {
  constexpr u32 kModifiers = u32{3} << 29;
  const u32 type = static_cast<u32>(schedule) & ~kModifiers;
  const bool is_ordered = kOrdered + kStaticChunked <= type && type <= kOrdered + kAuto;
  switch (is_ordered ? type - kOrdered : type) {
  case kStaticChunked:
  case kStatic: return {LoopKind::by_number, is_ordered};
  case kDynamic: return {LoopKind::dynamic, is_ordered};
  case kGuided: return {LoopKind::guided, is_ordered};
  case kRuntime: return {LoopKind::unset, is_ordered};
  case kAuto: return {LoopKind::automatic, is_ordered};
  default: return {LoopKind::unknown, is_ordered};
  }
}

// Whether a location is that of a loop, and not of sections.
bool is_of_loop(u64 location) {
  constexpr u32 kLoop = 0x200; // KMP_IDENT_WORK_LOOP
  return location != 0 && (reinterpret_cast<const u32*>(location)[1] & kLoop) != 0;
}

// Arguments: (location, thread, schedule, is last, lower, upper; stride, increment, chunk). The
// call replaces the bounds, which are inclusive, by those of the thread's share or of its first
// chunk. The compiler counts iterations from 0.
template <typename Bound> const Bound& bound(const HookedCall& call, unsigned argument) {
  return *reinterpret_cast<const Bound*>(call.arguments[argument]);
}
template <typename Bound> void keep_count(HookedCall& call) {
  if (is_of_loop(call.arguments[0]))
    divided_loops::begin(tasks::current(running()));
  const bool is_counted = is_of_loop(call.arguments[0]) && bound<Bound>(call, 4) == 0 &&
                          static_cast<u32>(guest::stack()[2]) == 1; // the increment
  if (is_counted)
    call.kept = reinterpret_cast<void*>(static_cast<u64>(bound<Bound>(call, 5)) + 1);
  call.arguments[0] = guest::stack()[1]; // where the stride will be
  call.arguments[1] = static_cast<Bound>(guest::stack()[3]);
}
template <typename Bound> void begin_share(HookedCall& call) {
  const u64 count = reinterpret_cast<u64>(call.kept);
  if (count == 0)
    return;
  const u64 from = bound<Bound>(call, 4);
  const u64 to = std::min(u64{bound<Bound>(call, 5)} + 1, count);
  if (static_cast<u32>(call.arguments[2]) == kStatic)
    shares::begin_of_loop(from, to, count, count);
  else if (static_cast<u32>(call.arguments[2]) == kStaticChunked) {
    const u64 chunk = std::clamp(call.arguments[1], u64{1}, count);
    const u64 number = from / chunk;
    const u64 first_chunks = std::min(bound<Bound>(call, 0) / chunk, (count + chunk - 1) / chunk);
    shares::begin_of_loop(number, number + (from < to), first_chunks, count);
  }
}

// Arguments: (location, thread)
void end_share(HookedCall& call) {
  if (!is_of_loop(call.arguments[0]))
    return;
  shares::end_of_loop();
  divided_loops::end();
}

// Arguments: (location, thread, schedule, lower, upper, increment, chunk)
template <typename Bound> void begin_loop(HookedCall& call) {
  const auto [kind, is_ordered] = type_of(call.arguments[2]);
  if (is_ordered)
    openmp::meet_ordered(kind, true);
  bool& by_thread_number = tasks::current(running()).shares_by_number;
  by_thread_number = kind == LoopKind::by_number;
  if (by_thread_number)
    return;
  const u64 chunk = static_cast<Bound>(guest::stack()[1]);
  openmp::LoopSchedule found;
  const bool is_known =
      !is_ordered && // its chunks are taken as in the run
      openmp::find_schedule({kind, static_cast<u32>(std::min(chunk, u64{~u32{0}}))}, true, found);
  if (!is_known || found.schedule != Schedule::by_number)
    teams::begin_shared_loop();
  const bool is_counted = is_known && static_cast<Bound>(call.arguments[3]) == 0 &&
                          static_cast<Bound>(call.arguments[5]) == 1;
  if (is_counted)
    shares::begin_of_chunks({.share = shares::whole(u64{static_cast<Bound>(call.arguments[4])} + 1,
                                                    found.schedule, found.chunk)});
}
// Arguments: (location, thread, is last, lower, upper, ...)
template <typename Bound> void next_chunk(HookedCall& call) {
  if (static_cast<u32>(guest::result()) != 0)
    shares::next_chunk(bound<Bound>(call, 3), u64{bound<Bound>(call, 4)} + 1);
  else
    shares::end_of_chunks();
}

// Arguments: (location, thread, number of dimensions or an iteration, ...)
void begin_doacross(HookedCall& call) { doacross::begin_loop(static_cast<u32>(call.arguments[2])); }
const u64* iteration(const HookedCall& call) {
  return reinterpret_cast<const u64*>(call.arguments[2]);
}
void post_iteration(HookedCall& call) { doacross::post(iteration(call)); }
void wait_for_iteration(HookedCall& call) { doacross::wait(iteration(call)); }

// A cancelled thread leaves its loop.
void cancelled(HookedCall&) {
  if (static_cast<u32>(guest::result()) != 0)
    shares::end_of_chunks();
}

// Reductions
//
//   reduce returns   the thread's part
//   0                was added by another thread, after a wait for that in this call
//   1                is to be added in a critical section; in a team of more than four threads,
//                    it is the sum of all, which one thread adds
//   2                is to be added by atomic instructions

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
    locks::acquired(tasks::current(running()).reduction, "critical", call.caller, call.returns_to);
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

// Locks

void enter_critical(HookedCall& call) {
  locks::acquired(call.arguments[2], "critical", call.caller, call.returns_to);
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
    {"kmpc_for_static_init_4", keep_count<u32>, begin_share<u32>},
    {"kmpc_for_static_init_4u", keep_count<u32>, begin_share<u32>},
    {"kmpc_for_static_init_8", keep_count<u64>, begin_share<u64>},
    {"kmpc_for_static_init_8u", keep_count<u64>, begin_share<u64>},
    {"kmpc_for_static_fini", nullptr, end_share},
    {"kmpc_doacross_init", begin_doacross, nullptr},
    {"kmpc_doacross_post", post_iteration, nullptr},
    {"kmpc_doacross_wait", nullptr, wait_for_iteration},
    {"kmpc_dispatch_init_4", begin_loop<u32>, nullptr},
    {"kmpc_dispatch_init_4u", begin_loop<u32>, nullptr},
    {"kmpc_dispatch_init_8", begin_loop<u64>, nullptr},
    {"kmpc_dispatch_init_8u", begin_loop<u64>, nullptr},
    {"kmpc_dispatch_next_4", nullptr, next_chunk<u32>},
    {"kmpc_dispatch_next_4u", nullptr, next_chunk<u32>},
    {"kmpc_dispatch_next_8", nullptr, next_chunk<u64>},
    {"kmpc_dispatch_next_8u", nullptr, next_chunk<u64>},
    {"kmpc_cancel", nullptr, cancelled},
    {"kmpc_cancellationpoint", nullptr, cancelled},
    {"kmpc_reduce", begin_reduce, reduce<true>},
    {"kmpc_end_reduce", end_reduce, leave_barrier},
    {"kmpc_reduce_nowait", begin_reduce, reduce<false>},
    {"kmpc_end_reduce_nowait", release_reduction, nullptr},
    {"kmpc_critical", nullptr, enter_critical},
    {"kmpc_critical_with_hint", nullptr, enter_critical},
    {"kmpc_end_critical", leave_critical, nullptr},
    {nullptr, nullptr, nullptr},
};

bool is_of_library(const HookedCall& call) {
  const Routine& entry = (*routines)[call.routine];
  return matches(VG_(basename)(routines->objects()[entry.object]), {"libomp*", "libiomp5*"});
}

} // namespace libomp
