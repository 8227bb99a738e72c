#include "work_span/engine/cilk_regions.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace {

// Instructions after a call.
constexpr Work kMostOfResult = 100;
constexpr u32 kUnknownRoutine = ~u32{0};
// An argument that takes so much longer than the child may be the child, and that where its result
// goes, `memo[hash(k)] = cilk_spawn f(k)`.
constexpr Span kLonger = 10;
constexpr Span kLongCall = 1000;

} // namespace

void CilkRegions::marker(SpanThread& thread, u32 kind, SourceLocation location) {
  if (thread.frames.empty())
    return;
  const bool ends = Marker{kind} == Marker::spawn_end;
  if (in_spawn(thread) && !(ends && top(thread).kind == Kind::spawn_to_end))
    before_marker(thread);
  switch (Marker{kind}) {
  case Marker::spawn_begin:
  case Marker::spawn: open(thread, kind_of(kind), location); return;
  case Marker::spawn_end: close(thread, Kind::spawn_to_end); return;
  case Marker::sync: engine_.sync(thread); return;
  case Marker::scope_begin:
    open(thread, Kind::scope, location);
    engine_.begin_scope(thread);
    return;
  case Marker::scope_end: close(thread, Kind::scope); return;
  case Marker::for_begin:
    open(thread, Kind::loop, location);
    engine_.begin_scope(thread);
    return;
  case Marker::for_iteration: next_iteration(thread); return;
  case Marker::for_end: close(thread, Kind::loop); return;
  }
  mistakes_.newer++;
}

// Of the spawn that the top frame is in.
void CilkRegions::before_marker(SpanThread& thread) {
  Region& region = top(thread);
  if (region.state == State::result)
    engine_.end_spawn(thread);
  if (region.state == State::candidate_ended || region.state == State::result)
    keep(thread, region); // what is spawned now runs beside it
  if (region.kind == Kind::spawn)
    end_top(thread);
}

void CilkRegions::close(SpanThread& thread, Kind kind) {
  if (is_in_region(thread) && top(thread).kind == kind)
    end_top(thread);
  else
    mistakes_.unmatched++;
}

void CilkRegions::end_top(SpanThread& thread) {
  Region region = top(thread);
  forget_top(thread);
  switch (region.kind) {
  case Kind::spawn:
  case Kind::spawn_to_end: end_spawn(thread, region); return;
  case Kind::scope: engine_.end_scope(thread); return;
  case Kind::loop:
    end_iteration(thread, region);
    engine_.end_scope(thread);
    // The iterations are spawned by halves.
    engine_.add_burden(thread, static_cast<u64>(std::bit_width(region.iterations)));
    return;
  }
}

void CilkRegions::end_spawn(SpanThread& thread, Region& region) {
  switch (region.state) {
  case State::nothing:
    if (region.kind == Kind::spawn)
      mistakes_.without_call++;
    else
      engine_.spawn_strand(thread, strand(thread, region));
    return;
  case State::candidate_ended: engine_.keep_spawn(thread); return;
  case State::kept: return;
  case State::candidate: break; // not seen to return
  case State::inlined: engine_.wait_in_child(thread); break;
  case State::second:
  case State::second_inlined: end_second(thread, region); break;
  case State::result:
    // Beyond what it takes to store a result, an inlined child: its arguments called.
    if (const Work leaf = strand(thread, region);
        leaf > kMostOfResult && 2 * leaf > engine_.length_of_spawn(thread)) {
      undo_running(thread);
      engine_.spawn_strand(thread, leaf);
      return;
    }
    break;
  }
  if (region.spawn.replaced > std::max(kLongCall, kLonger * engine_.length_of_spawn(thread)))
    count_several_calls(region);
  engine_.end_spawn(thread);
  engine_.keep_spawn(thread);
}

bool CilkRegions::before_call_in_c(SpanThread& thread, Region& region, const CallOrigin& call) {
  const bool on_line = region.location == 0 ? region.state == State::nothing
                                            : call.location == region.location && call.inlined == 0;
  const bool has_ended = region.state == State::candidate_ended;
  const bool copies_result = has_ended && call.role == SpawnRole::copy &&
                             engine_.length_of_outer_spawn(thread) > kMostOfResult;
  if (!on_line || copies_result || call.role == SpawnRole::no_child) {
    if (has_ended) {
      keep(thread, region);
      forget_top(thread);
    }
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

// A routine's that is inlined, with what the frame executed before.
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

// The shorter of the two is serial, unless the second is sure enough.
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

bool CilkRegions::before_call_in_cxx(SpanThread& thread, Region& region, const CallOrigin& call) {
  const bool may_be_child = call.role != SpawnRole::no_child;
  const bool is_inlined = region.state == State::inlined || region.state == State::second_inlined;
  if (region.state == State::kept ||
      (is_inlined && (!may_be_child || call.inlined == region.spawn.inlined)))
    return false;
  if (is_inlined)
    end_inlined(thread, region);
  const bool is_first = region.state == State::nothing;
  if (!may_be_child) {
    if (is_first)
      begin_inlined(thread, region, kUnknownRoutine);
    return false;
  }
  if (is_first && may_use_result(call.role) && strand(thread, region) > kMostOfResult) {
    begin_inlined(thread, region, kUnknownRoutine); // a leaf, whose result is used now, perhaps
    end_inlined(thread, region);
  }
  if (region.state == State::result) {
    if (region.location == 0)
      count_several_calls(region);
    else if (call.role == SpawnRole::child && call.inlined == 0)
      replace_candidate(thread, region);
    region.second = call.role;
  }
  if (call.inlined != 0) {
    begin_inlined(thread, region, call.inlined);
    return false;
  }
  engine_.begin_spawn(thread);
  region.state = region.state == State::result ? State::second : State::candidate;
  return true;
}

void CilkRegions::note_argument(Region& region, Span length) {
  constexpr Span kMost = ~u32{0};
  region.spawn.replaced =
      std::max(region.spawn.replaced, static_cast<u32>(std::min(kMost, length)));
}

// It was an argument.
void CilkRegions::replace_candidate(SpanThread& thread, Region& region) {
  note_argument(region, engine_.length_of_spawn(thread));
  undo_running(thread);
  region.state = State::nothing;
}

void CilkRegions::undo_running(SpanThread& thread) {
  engine_.end_spawn(thread);
  engine_.undo_spawn(thread);
}

void CilkRegions::count_several_calls(Region& region) {
  mistakes_.several_calls += !std::exchange(region.several_calls, true);
}

void CilkRegions::before_return(SpanThread& thread) {
  while (is_in_region(thread)) {
    mistakes_.abandoned += top(thread).is_open();
    end_top(thread);
  }
}

void CilkRegions::before_unwinding(SpanThread& thread) {
  if (thread.frames.size() < 2)
    return;
  SpanFrame& spawner = thread.frames.end()[-2];
  if (spawner.region == 0)
    return;
  const Region& region = thread.regions[spawner.region - 1];
  mistakes_.abandoned += region.kind == Kind::spawn && region.state == State::candidate;
  spawner.child_threw |= region.kind == Kind::spawn_to_end; // in C++
}

void CilkRegions::abandon_all(SpanThread& thread) {
  for (const Region& region : thread.regions)
    mistakes_.abandoned += region.is_open();
  thread.regions.clear();
}

void CilkRegions::next_iteration(SpanThread& thread) {
  if (!is_in_region(thread) || top(thread).kind != Kind::loop) {
    mistakes_.unmatched++;
    return;
  }
  start_iteration(thread, top(thread));
  engine_.begin_iteration(thread);
  engine_.begin_scope(thread);
}

void CilkRegions::end_unkept_iteration(SpanThread& thread) {
  engine_.end_scope(thread);
  engine_.end_spawn(thread);
  engine_.keep_spawn(thread);
}
