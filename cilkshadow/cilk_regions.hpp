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

// A line of a source file, as a number; 0: unknown.
using SourcePlace = u64;

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
  bool in_spawn(const SpanThread& thread) const {
    return is_in_region(thread) && regions_.back().is_spawn();
  }
  bool in_loop(const SpanThread& thread) const {
    return is_in_region(thread) && regions_.back().kind == Kind::loop;
  }
  // Whether the top frame is in any region, so that its return is.
  bool is_in_region(const SpanThread& thread) const {
    if (thread.frames.empty() || !thread.frames.back().forks || regions_.empty())
      return false;
    const Region& top = regions_.back();
    return (top.depth == thread.frames.size()) & (top.thread == &thread); // in one branch
  }

  // Before the engine's call from a frame in a spawn. `spawnable`: not a destructor or the like.
  // True if what is called may be the child.
  bool before_call(SpanThread& thread, SourcePlace place, bool spawnable);
  // After the engine's return to a frame in a spawn.
  void after_return(SpanThread& thread);
  // Before the engine's return from a frame in a region.
  void before_return(SpanThread& thread);
  // The thread ends, whatever is pending.
  void abandon_all();

private:
  enum class Kind : u8 { spawn, spawn_to_end, scope, loop };
  enum class State : u8 {
    nothing,         // no call yet
    inlined,         // all since the marker is a child, unless a candidate comes
    candidate,       // running
    candidate_ended, // neither kept nor undone
    kept,
  };
  struct Region {
    const SpanThread* thread;
    std::size_t depth; // of the frame
    SourcePlace place;
    Span local; // of the frame, at the marker
    u64 iterations;
    Kind kind;
    State state;
    bool several_calls;

    bool is_spawn() const { return kind <= Kind::spawn_to_end; }
    // Whether its frame's return is no end of it: in C that ends a spawn.
    bool is_open() const { return kind != Kind::spawn || state == State::candidate; }
  };

  void open(SpanThread& thread, Kind kind, SourcePlace place);
  void close(SpanThread& thread, Kind kind);
  void end_top(SpanThread& thread);
  void end_spawn(SpanThread& thread, const Region& region);
  void keep(SpanThread& thread, Region& region);
  void next_iteration(SpanThread& thread);
  void end_iteration(SpanThread& thread);

  WorkSpan& engine_;
  CilkMistakes& mistakes_;
  Vector<Region> regions_{"cilkshadow.regions"};
};
