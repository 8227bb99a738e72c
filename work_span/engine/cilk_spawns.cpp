// Determines which call is the child of a spawn: the states and cases of open_region.hpp.
#include "work_span/engine/cilk_regions.hpp"

#include <algorithm>
#include <utility>

namespace {

// The most instructions that storing or converting a result may take.
constexpr Work kMostOfResult = 100;
constexpr u32 kUnknownRoutine = ~u32{0};
// A call in an argument that takes this much longer than the child may be the child itself, and the
// child a part of the place for its result: `memo[hash(k)] = cilk_spawn f(k)`.
constexpr Span kLonger = 10;
constexpr Span kLongCall = 1000;

} // namespace

// In C

bool CilkRegions::before_call_in_c(SpanThread& thread, Region& region, const CallOrigin& call) {
  const bool on_line = region.location == 0 ? region.state == State::no_call
                                            : call.location == region.location && call.inlined == 0;
  const bool has_ended = region.state == State::ended;
  const bool copies_result = has_ended && call.role == SpawnRole::copy &&
                             engine_.length_of_outer_spawn(thread) > kMostOfResult;
  if (!on_line || copies_result || call.role == SpawnRole::no_child) {
    if (has_ended)
      close_ended(thread);
    return false;
  }
  if (has_ended) {
    engine_.undo_spawn(thread);
    count_several_calls(region);
  }
  engine_.begin_spawn(thread);
  region.state = State::candidate;
  return true;
}

// In C++

bool CilkRegions::before_call_in_cxx(SpanThread& thread, Region& region, const CallOrigin& call) {
  if (is_no_other(region, call))
    return false;
  if (region.runs_inlined())
    end_inlined(thread, region);
  if (call.role == SpawnRole::no_child) {
    if (region.state == State::no_call) // it uses the result of an inlined leaf
      begin_inlined(thread, region, kUnknownRoutine);
    return false;
  }
  if (may_follow_leaf(thread, region, call)) {
    begin_inlined(thread, region, kUnknownRoutine);
    end_inlined(thread, region);
  }
  if (region.state == State::result)
    begin_second(thread, region, call);
  if (call.inlined != 0) {
    begin_inlined(thread, region, call.inlined);
    return false;
  }
  engine_.begin_spawn(thread);
  region.state = region.state == State::result ? State::second : State::candidate;
  return true;
}

bool CilkRegions::may_follow_leaf(const SpanThread& thread, const Region& region,
                                  const CallOrigin& call) const {
  return region.state == State::no_call && may_use_result(call.role) &&
         strand(thread, region) > kMostOfResult;
}

void CilkRegions::begin_second(SpanThread& thread, Region& region, const CallOrigin& call) {
  region.second = call.role;
  if (region.location == 0) {
    count_several_calls(region);
  } else if (call.role == SpawnRole::child && call.inlined == 0) {
    note_argument(region, engine_.length_of_spawn(thread));
    undo_running(thread);
    region.state = State::no_call;
  }
}

// The candidate is an inlined routine, including what the frame has executed before its first call.
void CilkRegions::begin_inlined(SpanThread& thread, Region& region, u32 inlined) {
  engine_.begin_spawn_before(thread, strand(thread, region));
  region.state = region.state == State::result ? State::second_inlined : State::inlined;
  region.spawn.inlined = inlined;
}

void CilkRegions::end_inlined(SpanThread& thread, Region& region) {
  if (region.state == State::second_inlined)
    return end_second(thread, region);
  engine_.wait_in_child(thread);
  begin_result(thread, region);
}

// The shorter of the two is serial, unless the second is certain enough.
void CilkRegions::end_second(SpanThread& thread, Region& region) {
  engine_.wait_in_child(thread);
  const Span first = engine_.length_of_outer_spawn(thread);
  const Span enough =
      region.second == SpawnRole::functor ? std::min<Span>(first, kMostOfResult) : first;
  if (engine_.length_of_spawn(thread) > enough) {
    note_argument(region, first);
    engine_.undo_outer_spawn(thread);
  } else {
    undo_running(thread);
  }
  begin_result(thread, region);
}

void CilkRegions::note_argument(Region& region, Span length) {
  constexpr Span kMost = ~u32{0};
  region.spawn.argument =
      std::max(region.spawn.argument, static_cast<u32>(std::min(kMost, length)));
}

void CilkRegions::undo_running(SpanThread& thread) {
  engine_.end_spawn(thread);
  engine_.undo_spawn(thread);
}

// The ends of spawns

void CilkRegions::end_spawn(SpanThread& thread, Region& region) {
  switch (region.state) {
  case State::no_call:
    if (region.kind == Kind::spawn_in_c)
      mistakes_.without_call++;
    else
      engine_.spawn_strand(thread, strand(thread, region));
    return;
  case State::ended: engine_.keep_spawn(thread); return;
  case State::kept: return;
  case State::candidate: break; // its return was not seen
  case State::inlined: engine_.wait_in_child(thread); break;
  case State::second:
  case State::second_inlined: end_second(thread, region); break;
  case State::result:
    // More than storing a result takes: an inlined child, and the calls were in its arguments.
    if (const Work leaf = strand(thread, region);
        leaf > kMostOfResult && 2 * leaf > engine_.length_of_spawn(thread)) {
      undo_running(thread);
      engine_.spawn_strand(thread, leaf);
      return;
    }
    break;
  }
  if (region.spawn.argument > std::max(kLongCall, kLonger * engine_.length_of_spawn(thread)))
    count_several_calls(region);
  engine_.end_spawn(thread);
  engine_.keep_spawn(thread);
}
