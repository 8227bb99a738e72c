#include "cilkshadow/cilk_regions.hpp"

#include <bit>
#include <utility>

void CilkRegions::marker(SpanThread& thread, u32 kind, SourcePlace place) {
  if (thread.frames.empty())
    return;
  if (in_spawn(thread))
    end_for_marker(thread);
  switch (Marker{kind}) {
  case Marker::spawn_begin:
  case Marker::spawn: open(thread, kind_of(kind), place); return;
  case Marker::spawn_end: close(thread, Kind::spawn_to_end); return;
  case Marker::sync: engine_.sync(thread); return;
  case Marker::scope_begin:
    open(thread, Kind::scope, place);
    engine_.begin_scope(thread);
    return;
  case Marker::scope_end: close(thread, Kind::scope); return;
  case Marker::for_begin:
    open(thread, Kind::loop, place);
    engine_.begin_scope(thread);
    return;
  case Marker::for_iteration: next_iteration(thread); return;
  case Marker::for_end: close(thread, Kind::loop); return;
  }
  mistakes_.newer++;
}

// Of the spawn that the top frame is in.
void CilkRegions::end_for_marker(SpanThread& thread) {
  Region& region = top(thread);
  if (region.state == State::candidate_ended)
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
  const Region region = top(thread);
  forget_top(thread);
  switch (region.kind) {
  case Kind::spawn:
  case Kind::spawn_to_end: end_spawn(thread, region); return;
  case Kind::scope: engine_.end_scope(thread); return;
  case Kind::loop:
    if (region.iterations > 0)
      end_iteration(thread);
    engine_.end_scope(thread);
    // The iterations are spawned by halves.
    engine_.add_burden(thread, static_cast<u64>(std::bit_width(region.iterations)));
    return;
  }
}

void CilkRegions::end_spawn(SpanThread& thread, const Region& region) {
  switch (region.state) {
  case State::nothing:
    if (region.kind == Kind::spawn)
      mistakes_.without_call++;
    else
      engine_.spawn_strand(thread, thread.frames.back().local.whole - region.local);
    return;
  case State::candidate: // not seen to return
  case State::inlined:
    engine_.end_spawn(thread);
    engine_.keep_spawn(thread);
    return;
  case State::candidate_ended: engine_.keep_spawn(thread); return;
  case State::kept: return;
  }
}

bool CilkRegions::before_other_call(SpanThread& thread, Region& region, SourcePlace place,
                                    bool spawnable) {
  const bool candidate = spawnable && (region.place == 0 ? region.state == State::nothing ||
                                                               region.kind == Kind::spawn_to_end
                                                         : place == region.place);
  if (!candidate) {
    if (region.state == State::candidate_ended) {
      keep(thread, region);
      if (region.kind == Kind::spawn)
        forget_top(thread);
    } else if (region.state == State::nothing && region.kind == Kind::spawn_to_end) {
      engine_.begin_spawn_before(thread, thread.frames.back().local.whole - region.local);
      region.state = State::inlined;
    }
    return false;
  }
  if (region.state == State::inlined)
    engine_.end_spawn(thread);
  if (region.state == State::inlined || region.state == State::candidate_ended)
    engine_.undo_spawn(thread);
  if (region.kind == Kind::spawn && region.state == State::candidate_ended)
    mistakes_.several_calls += !std::exchange(region.several_calls, true);
  engine_.begin_spawn(thread);
  region.state = State::candidate;
  return true;
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
  if (top(thread).iterations++ > 0)
    end_iteration(thread);
  engine_.begin_iteration(thread);
  engine_.begin_scope(thread);
}

void CilkRegions::end_iteration(SpanThread& thread) {
  engine_.end_scope(thread);
  engine_.end_spawn(thread);
  engine_.keep_spawn(thread);
}
