// OpenMP programs of gcc: hooks of the entry points of libgomp, which libomp provides, too, except
// those of tasks.
#include "trace/call_events.hpp"
#include "trace/guest_registers.hpp"
#include "work_span/order/locks.hpp"
#include "work_span/runtimes/divided_loops.hpp"
#include "work_span/runtimes/runtimes.hpp"
#include "work_span/runtimes/shares.hpp"
#include "work_span/runtimes/tasks.hpp"
#include "work_span/runtimes/teams.hpp"

#include <algorithm>
#include <iterator>

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
  tasks::current(running()).shares_by_number = false;
  if (libomp::is_of_library(call))
    teams::begin_shared_loop();
}
void begin_parallel_loop(HookedCall& call) {
  begin_parallel(call);
  begin_loop(call);
}

// The schedule and the chunk, if they are in the program, or else are of schedule(runtime).
template <LoopKind kKind>
bool find_schedule(const HookedCall& call, u64 chunk, openmp::LoopSchedule& found) {
  return openmp::find_schedule({kKind, static_cast<u32>(std::min(chunk, u64{~u32{0}}))},
                               libomp::is_of_library(call), found);
}
// `chunk`: the smallest of a guided loop.
template <LoopKind kKind, typename Bound>
shares::ChunkedLoop given_out(const HookedCall& call, Bound start, Bound end, u64 increment,
                              u64 chunk, bool is_rising) {
  openmp::LoopSchedule found;
  if (increment == 0 || (is_rising ? start >= end : start <= end) ||
      !find_schedule<kKind>(call, chunk, found))
    return {}; // no iterations, or in an unknown way
  shares::ChunkedLoop loop{.first = static_cast<u64>(start),
                           .step = is_rising ? increment : -increment,
                           .is_rising = is_rising};
  loop.share =
      shares::whole(loop.iterations_before(static_cast<u64>(end)), found.schedule, found.chunk);
  return loop;
}
template <LoopKind kKind>
shares::ChunkedLoop given_out_signed(const HookedCall& call, u64 start, u64 end, u64 increment,
                                     u64 chunk) {
  return given_out<kKind>(call, static_cast<i64>(start), static_cast<i64>(end), increment, chunk,
                          static_cast<i64>(increment) > 0);
}
// Arguments: (start, end, increment, chunk, begin of the first chunk, its end), without a chunk if
// the schedule is not in the program. The last two are the arguments of the calls that return the
// next chunks.
template <LoopKind kKind> void begin_loop_of(HookedCall& call) {
  begin_loop(call);
  constexpr std::size_t kBounds = kKind == LoopKind::unset ? 3 : 4;
  const auto& arguments = call.arguments;
  shares::begin_of_chunks(
      given_out_signed<kKind>(call, arguments[0], arguments[1], arguments[2], arguments[3]));
  call.arguments[0] = arguments[kBounds];
  call.arguments[1] = arguments[kBounds + 1];
}
// Arguments: (whether it counts up, start, ...)
template <LoopKind kKind> void begin_unsigned_loop_of(HookedCall& call) {
  begin_loop(call);
  const auto& [rises, start, end, increment, chunk, chunk_begin] = call.arguments;
  shares::begin_of_chunks(
      given_out<kKind>(call, start, end, increment, chunk, (rises & 0xFF) != 0));
  const bool has_chunk = kKind != LoopKind::unset;
  call.arguments[0] = has_chunk ? chunk_begin : chunk;
  call.arguments[1] = has_chunk ? guest::stack()[1] : chunk_begin;
}
// Arguments: (body, data, threads, start, end, increment, chunk, ...)
template <LoopKind kKind> void begin_parallel_loop_of(HookedCall& call) {
  const u64 chunk = guest::stack()[1];
  begin_parallel_loop(call);
  const auto& [body, data, threads, start, end, increment] = call.arguments;
  static_cast<teams::Team*>(call.kept)->loop =
      given_out_signed<kKind>(call, start, end, increment, chunk);
}
void end_parallel(HookedCall& call) { teams::end(static_cast<teams::Team*>(call.kept)); }

// The schedule of a loop that has a task reduction is an argument.
LoopKind kind_of(u64 schedule) { // enum gomp_schedule_type
  constexpr u32 kMonotonic = u32{1} << 31;
  switch (static_cast<u32>(schedule) & ~kMonotonic) {
  case 0: return LoopKind::unset;
  case 1: return LoopKind::by_number;
  case 2: return LoopKind::dynamic;
  case 3: return LoopKind::guided;
  case 4: return LoopKind::automatic;
  default: return LoopKind::unknown;
  }
}
bool is_static(u64 schedule) { return kind_of(schedule) == LoopKind::by_number; }
template <std::size_t kSchedule> void begin_loop_by(HookedCall& call) {
  if (!is_static(call.arguments[kSchedule]))
    begin_loop(call);
}

template <LoopKind kKind> void meet_ordered(HookedCall& call) {
  openmp::meet_ordered(kKind, libomp::is_of_library(call));
}
template <LoopKind kKind> void begin_ordered_loop(HookedCall& call) {
  meet_ordered<kKind>(call);
  begin_loop(call);
}
template <std::size_t kSchedule> void begin_ordered_by(HookedCall& call) {
  openmp::meet_ordered(kind_of(call.arguments[kSchedule]), libomp::is_of_library(call));
  begin_loop_by<kSchedule>(call);
}

// Arguments: (number of dimensions, ...)
void meet_doacross(HookedCall& call) { doacross::begin_loop(static_cast<u32>(call.arguments[0])); }
void begin_doacross(HookedCall& call) {
  meet_doacross(call);
  begin_loop(call);
}
void begin_doacross_by_schedule(HookedCall& call) {
  meet_doacross(call);
  begin_loop_by<2>(call);
}
// Arguments: (iteration)
void post_iteration(HookedCall& call) {
  doacross::post(reinterpret_cast<const u64*>(call.arguments[0]));
}
// Arguments: the numbers of the iteration, one for each dimension
void wait_for_iteration(HookedCall& call) {
  if (tasks::current(running()).doacross.dimensions > std::size(call.arguments))
    return openmp::count_not_understood();
  doacross::wait(call.arguments);
}

void arrive_at_barrier(HookedCall&) { teams::arrive(); }
void leave_barrier(HookedCall&) {
  teams::leave();
  shares::begin_after_barrier();
  divided_loops::pause(false);
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
// Loops of the block are one thread's, up to the barrier after it.
void leave_single(HookedCall&) {
  if ((guest::result() & 0xFF) != 0)
    divided_loops::pause(true);
}

void begin_ordered(HookedCall&) { teams::begin_ordered(); }
void end_ordered(HookedCall&) { teams::end_ordered(); }

void end_loop(HookedCall&) { shares::end_of_chunks(); } // unless it was told that there is no more

// Of sections, and of loops of which it is unknown how they count.
void next_unknown(HookedCall&) { teams::next_chunk((guest::result() & 0xFF) != 0); }
// Arguments: (begin, end)
void next_chunk(HookedCall& call) {
  if ((guest::result() & 0xFF) == 0)
    return shares::end_of_chunks();
  shares::next_chunk(*reinterpret_cast<const u64*>(call.arguments[0]),
                     *reinterpret_cast<const u64*>(call.arguments[1]));
}

template <std::size_t kSchedule> void first_chunk_by(HookedCall& call) {
  if (!is_static(call.arguments[kSchedule]))
    next_unknown(call);
}

// A cancelled thread leaves its loop.
void cancelled(HookedCall&) {
  if ((guest::result() & 0xFF) != 0)
    shares::end_of_chunks();
}

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
    {"GOMP_parallel_loop_*dynamic", begin_parallel_loop_of<LoopKind::dynamic>, end_parallel},
    {"GOMP_parallel_loop_*guided", begin_parallel_loop_of<LoopKind::guided>, end_parallel},
    {"GOMP_parallel_loop_*runtime", begin_parallel_loop_of<LoopKind::unset>, end_parallel},
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
    {"GOMP_single_start", nullptr, leave_single},
    {"GOMP_single_copy_start", arrive_at_barrier, leave_single_copy},
    {"GOMP_single_copy_end", end_single_copy, leave_barrier},
    {"GOMP_workshare_task_reduction_unregister", arrive_at_end_of_reduction,
     leave_end_of_reduction},
    {"GOMP_ordered_start", nullptr, begin_ordered},
    {"GOMP_ordered_end", end_ordered, nullptr},
    {"GOMP_loop_start", begin_loop_by<3>, first_chunk_by<3>},
    {"GOMP_loop_ordered_start", begin_ordered_by<3>, first_chunk_by<3>},
    {"GOMP_loop_doacross_start", begin_doacross_by_schedule, first_chunk_by<2>},
    {"GOMP_loop_ull_start", begin_loop_by<4>, first_chunk_by<4>},
    {"GOMP_loop_ull_ordered_start", begin_ordered_by<4>, first_chunk_by<4>},
    {"GOMP_loop_ull_doacross_start", begin_doacross_by_schedule, first_chunk_by<2>},
    {"GOMP_loop_*doacross_static_start", meet_doacross, nullptr},
    {"GOMP_loop_*doacross_*_start", begin_doacross, next_unknown},
    {"GOMP_doacross_*post", post_iteration, nullptr},
    {"GOMP_doacross_*wait", nullptr, wait_for_iteration},
    {"GOMP_loop_*ordered_static_start", meet_ordered<LoopKind::by_number>, nullptr},
    {"GOMP_loop_*ordered_guided_start", begin_ordered_loop<LoopKind::guided>, next_unknown},
    {"GOMP_loop_*ordered_runtime_start", begin_ordered_loop<LoopKind::unset>, next_unknown},
    {"GOMP_loop_*static_*", nullptr, nullptr}, // divided by thread number
    {"GOMP_loop_*ordered_*_start", begin_loop, next_unknown},
    {"GOMP_loop_ull_*dynamic_start", begin_unsigned_loop_of<LoopKind::dynamic>, next_chunk},
    {"GOMP_loop_ull_*guided_start", begin_unsigned_loop_of<LoopKind::guided>, next_chunk},
    {"GOMP_loop_ull_*runtime_start", begin_unsigned_loop_of<LoopKind::unset>, next_chunk},
    {"GOMP_loop_*runtime_start", begin_loop_of<LoopKind::unset>, next_chunk},
    {"GOMP_loop_*dynamic_start", begin_loop_of<LoopKind::dynamic>, next_chunk},
    {"GOMP_loop_*guided_start", begin_loop_of<LoopKind::guided>, next_chunk},
    {"GOMP_loop_*_start", begin_loop, next_unknown},
    {"GOMP_loop_*_next", nullptr, next_chunk},
    {"GOMP_sections_start", nullptr, next_unknown},
    {"GOMP_sections2_start", nullptr, next_unknown},
    {"GOMP_sections_next", nullptr, next_unknown},
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
