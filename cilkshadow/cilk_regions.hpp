// What the markers of cilk/cilk.h (trace/markers.hpp) mean: which call is a spawned child, where
// scopes and parallel loops begin and end. Tells the engine; knows nothing of Valgrind.
//
// A spawn's marker stands before the evaluation of its arguments, and an optimiser may have inlined
// any part of what follows. The child is the last call from the marker's source line that can be
// one: earlier ones were arguments, whose time is the parent's (as in Cilk). In C nothing tells
// them from a child with another call after it in the same line, so they are counted. Calls from
// other lines are those of inlined code. A spawn in C++ has an end; if no call from the line came
// until there, the child itself was inlined, and all since the marker is the child. A spawn in C
// ends with the next marker, the spawning frame's return, or a call from another line.
//
// An iteration of a parallel loop is a spawned child with a scope of its own; the loop waits for
// all of them.
#pragma once

#include "cilkshadow/work_span.hpp"
#include "trace/markers.hpp"

struct CilkMistakes {
  u64 unmatched = 0;     // ends without a begin
  u64 without_call = 0;  // spawns in C
  u64 several_calls = 0; // spawns in C: arguments' or, in the same line, what should run beside it
  u64 abandoned = 0;     // spawns, scopes and loops whose frame ended before
  u64 newer = 0;         // markers of unknown kinds
};

class CilkRegions {
public:
  CilkRegions(WorkSpan& engine, CilkMistakes& mistakes) : engine_(engine), mistakes_(mistakes) {}

  // `place` does not matter to a sync.
  void marker(SpanThread& thread, u32 kind, SourcePlace place);

  // Whether the top frame is in a spawn, so that calls and returns are of interest.
  static bool in_spawn(const SpanThread& thread) {
    return is_in_region(thread) && top(thread).is_spawn();
  }
  static bool in_loop(const SpanThread& thread) {
    return is_in_region(thread) && top(thread).kind == Kind::loop;
  }
  // Whether the top frame is in any region, so that its return is.
  static bool is_in_region(const SpanThread& thread) {
    return !thread.frames.empty() && thread.frames.back().region != 0;
  }

  // Before the engine's call from a frame in a spawn. `spawnable`: not a destructor or the like.
  // True if what is called may be the child.
  bool before_call(SpanThread& thread, SourcePlace place, bool spawnable);
  // After the engine's return to a frame in a spawn.
  void after_return(SpanThread& thread);
  // Before the engine's return from a frame in a region.
  void before_return(SpanThread& thread);
  // The thread is over, whatever is pending.
  void abandon_all(SpanThread& thread);

private:
  using Region = CilkRegion;
  using Kind = Region::Kind;
  using State = Region::State;

  static const Region& top(const SpanThread& thread) {
    return thread.regions[thread.frames.back().region - 1];
  }
  static Region& top(SpanThread& thread) { return thread.regions[thread.frames.back().region - 1]; }
  static void forget_top(SpanThread& thread);
  void open(SpanThread& thread, Kind kind, SourcePlace place);
  void close(SpanThread& thread, Kind kind);
  void end_top(SpanThread& thread);
  void end_spawn(SpanThread& thread, const Region& region);
  void keep(SpanThread& thread, Region& region);
  void next_iteration(SpanThread& thread);
  void end_iteration(SpanThread& thread);

  WorkSpan& engine_;
  CilkMistakes& mistakes_;
};
