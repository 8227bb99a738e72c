#include "work_span/engine/cilk_regions.hpp"

#include <bit>

void CilkRegions::marker(SpanThread& thread, u32 kind, SourceLocation location) {
  if (thread.frames.empty())
    return;
  const bool ends = Marker{kind} == Marker::spawn_end;
  if (in_spawn(thread) && !(ends && top(thread).kind == Kind::spawn_in_cxx))
    before_marker(thread);
  switch (Marker{kind}) {
  case Marker::spawn_begin:
  case Marker::spawn: open(thread, kind_of(kind), location); return;
  case Marker::spawn_end: close(thread, Kind::spawn_in_cxx); return;
  case Marker::sync: engine_.sync(thread); return;
  case Marker::scope_begin:
    open(thread, Kind::scope, location);
    engine_.begin_scope(thread);
    return;
  case Marker::scope_end: close(thread, Kind::scope); return;
  case Marker::for_begin:
    open(thread, Kind::loop, location);
    top(thread).loop.loops = static_cast<u32>(thread.loops.size());
    engine_.begin_scope(thread);
    return;
  case Marker::for_iteration: next_iteration(thread); return;
  case Marker::for_end: close(thread, Kind::loop); return;
  }
  mistakes_.newer++;
}

// A candidate whose call is over is the child: what is spawned next runs in parallel with it.
void CilkRegions::before_marker(SpanThread& thread) {
  Region& region = top(thread);
  if (region.state == State::result)
    engine_.end_spawn(thread);
  if (region.state == State::ended || region.state == State::result) {
    engine_.keep_spawn(thread);
    region.state = State::kept;
  }
  if (region.kind == Kind::spawn_in_c)
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
  case Kind::spawn_in_c:
  case Kind::spawn_in_cxx: end_spawn(thread, region); return;
  case Kind::scope: engine_.end_scope(thread); return;
  case Kind::loop:
    end_iteration(thread, region);
    engine_.end_scope(thread);
    // The iterations are spawned by recursive halving.
    engine_.add_burden(thread, static_cast<u64>(std::bit_width(region.loop.iterations)));
    return;
  }
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
  mistakes_.abandoned += region.kind == Kind::spawn_in_c && region.state == State::candidate;
  spawner.child_threw |= region.kind == Kind::spawn_in_cxx; // in C++
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
  Region& loop = top(thread);
  start_iteration(thread, loop);
  find_loop(thread, loop);
  loop.local = thread.work;
  engine_.begin_iteration(thread);
  engine_.begin_scope(thread);
}

void CilkRegions::end_unkept_iteration(SpanThread& thread, Region& loop) {
  engine_.end_scope(thread);
  engine_.end_spawn(thread);
  engine_.keep_spawn(thread);
  count_iteration(thread, loop, thread.work - loop.local);
}

// The loop of the machine code is the outermost one that began with or after the region. An OpenMP
// library gives out the first chunk before it, and a cilk_for's last iteration ends behind it.
void CilkRegions::find_loop(const SpanThread& thread, Region& region) {
  if (WorkSpan::is_in_loop(thread) && thread.loops.size() > region.loop.loops)
    region.loop.site = 1 + index(thread.loops[region.loop.loops].site);
}

void CilkRegions::count_iteration(const SpanThread& thread, Region& region, Work amount) {
  find_loop(thread, region);
  if (region.loop.site != 0)
    engine_.note_iteration(SiteId{region.loop.site - 1}, amount);
}
