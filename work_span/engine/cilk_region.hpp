// A spawn, a scope or a parallel loop that a marker has begun: what cilk_regions.hpp keeps with the
// thread.
#pragma once

#include "base/types.hpp"

// A line of a source file, as a number; 0: unknown.
using SourcePlace = u64;

// What a call may be to a spawn that is not its caller's: by what is called.
enum class SpawnRole : u8 {
  child,    // or its arguments'; inlined, what converts its result
  functor,  // the same, if it is long: an operator()
  any,      // or what uses its result: operators, constructors, the standard library's routines
  copy,     // the same; in C, by a compiler that copies a struct
  no_child, // a destructor or the like, or what its result is stored through
};

constexpr bool may_use_result(SpawnRole role) {
  return role == SpawnRole::any || role == SpawnRole::copy;
}

struct CallPlace {
  SourcePlace line = 0;
  u32 inlined = 0;  // into the routine that calls: the outermost's name; 0: it calls itself
  SpawnRole role{}; // of what is called; of what is inlined

  // If nothing else may be.
  bool may_be_spawned() const { return inlined == 0 && role != SpawnRole::no_child; }
};

struct CilkRegion {
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

  SourcePlace place;
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
