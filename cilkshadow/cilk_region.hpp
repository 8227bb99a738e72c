// A spawn, a scope or a parallel loop that a marker has begun: what cilk_regions.hpp keeps with the
// thread.
#pragma once

#include "base/types.hpp"

// A line of a source file, as a number; 0: unknown.
using SourcePlace = u64;

struct CilkRegion {
  enum class Kind : u8 { spawn, spawn_to_end, scope, loop };
  enum class State : u8 {
    nothing,         // no call yet
    inlined,         // all since the marker is a child, unless a candidate comes
    candidate,       // running
    candidate_ended, // neither kept nor undone
    kept,
  };

  SourcePlace place;
  u64 local; // what the frame itself had executed along its path, at the marker
  u64 iterations;
  u32 outer; // 1 + the frame's region around it, 0: none
  Kind kind;
  State state;
  bool several_calls;

  bool is_spawn() const { return kind <= Kind::spawn_to_end; }
  // Whether its frame's return is no end of it: in C that ends a spawn.
  bool is_open() const { return kind != Kind::spawn || state == State::candidate; }
};
