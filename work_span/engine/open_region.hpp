// A spawn, a scope or a parallel loop that a marker has begun in a frame: what CilkRegions
// (cilk_regions.hpp) keeps with the thread. 40 bytes.
//
// Of a spawn the state says what is known of its child. A candidate is a call that may be it; the
// engine has begun a spawn for each, which it can still undo.
//
// In C the candidates are the calls from the marker's line.
//
//                 call from the line               its return
//     no_call ------------------------> candidate ------------> ended
//                                           ^                     |
//                                           +---------------------+
//                     another call from the line: the first was an argument
//
// The region is closed in `ended`, with the candidate as the child, by a call from another line or
// one that only uses the result, by the next marker, or by the frame's return.
//
// In C++ all calls until the spawn's end are candidates; two may be left of which only one can be
// the child. Calls by code that is inlined are one candidate together, which ends with the first
// call by other code.
//
//                   +---- a plain call: the first was an argument ----+
//                   v                                                 |
//     no_call --> candidate --- return ---> result --- call ----------+--> second ---- return ---+
//        |                                   ^  ^                     |                          |
//        |                                   |  |                     |  inlined   other code    |
//        +------> inlined ------ other code -+  |                     +--> second_inlined -------+
//         inlined code                          |                                                |
//                                               +------ the longer of the two is left -----------+
//
// The spawn's end closes the region, with what is left as the child; all since the marker, if no
// call came. Another marker in `result` leads to `kept`: that was the child, and there is no other.
#pragma once

#include "work_span/engine/call_origin.hpp"

struct OpenRegion {
  enum class Kind : u8 { spawn_in_c, spawn_in_cxx, scope, loop };
  enum class State : u8 {
    no_call,
    inlined,   // all since the marker is a candidate
    candidate, // running
    ended,
    result, // what runs may be for the candidate's result
    second_inlined,
    second, // running, within the first
    kept,   // and so is a loop's latest iteration
  };

  OpenRegion(SourceLocation location, u64 local, u32 outer, Kind kind, State state)
      : location(location), local(local), iterations(0), outer(outer), kind(kind), state(state) {}

  SourceLocation location;
  u64 local; // what the frame itself had executed along its path, at the marker or the result
  union {
    u64 iterations; // of a loop
    struct {
      u32 inlined;  // the inlined candidate's name
      u32 argument; // the span of the longest candidate that proved an argument, or the most
    } spawn;
  };
  u32 outer; // 1 + the frame's region around it, 0: none
  Kind kind;
  State state;
  SpawnRole second{}; // of a second candidate
  bool several_calls = false;

  bool is_spawn() const { return kind <= Kind::spawn_in_cxx; }
  bool runs_inlined() const { return state == State::inlined || state == State::second_inlined; }
  // Whether its frame's return is no end of it: in C that ends a spawn.
  bool is_open() const { return kind != Kind::spawn_in_c || state == State::candidate; }
};
