// A spawn, a scope or a parallel loop that a marker has begun: what cilk_regions.hpp keeps with the
// thread.
#pragma once

#include "work_span/engine/call_origin.hpp"

struct OpenRegion {
  enum class Kind : u8 { spawn, spawn_to_end, scope, loop };
  // Of a spawn in C++ a second candidate may run within the first, in which case one of them turns
  // out to be serial.
  enum class State : u8 {
    nothing,         // no call yet
    inlined,         // all since the marker is a child, unless a candidate comes
    candidate,       // running
    candidate_ended, // in C: neither kept nor undone
    result,          // in C++: the candidate's call is over, what follows is for its result
    second_inlined,  // running, after that
    second,
    kept, // and so is a loop's latest iteration
  };

  SourceLocation location;
  u64 local; // what the frame itself had executed along its path, at the marker or the result
  union {
    u64 iterations; // of a loop
    struct {
      u32 inlined;  // the inlined candidate's name
      u32 replaced; // the span of the longest candidate that proved an argument, or the most
    } spawn;
  };
  u32 outer; // 1 + the frame's region around it, 0: none
  Kind kind;
  State state;
  SpawnRole second; // of a second candidate
  bool several_calls;

  bool is_spawn() const { return kind <= Kind::spawn_to_end; }
  // Whether its frame's return is no end of it: in C that ends a spawn.
  bool is_open() const { return kind != Kind::spawn || state == State::candidate; }
};
