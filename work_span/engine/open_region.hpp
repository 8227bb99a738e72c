// An open region: a spawn, a scope or a parallel loop that a marker has begun in a frame.
// CilkRegions (cilk_regions.hpp) keeps it with the thread. 48 bytes.
//
// The state of a spawn says what is known about its child. A candidate is a call that may be the
// child; the engine has begun a spawn for each, which it can still undo.
//
// In C, the candidates are the calls from the marker's line.
//
//                 call from the line               its return
//     no_call ------------------------> candidate ------------> ended
//                                           ^                     |
//                                           +---------------------+
//                     another call from the line: the first was in an argument
//
// In `ended`, the region is closed, with the candidate as the child, by a call from another line or
// one that only uses the result, by the next marker, or by the frame's return.
//
// In C++, all calls until the spawn's end are candidates; two may remain of which only one can be
// the child. Calls by inlined code are one candidate together, which ends with the first call by
// other code.
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
// The spawn's end closes the region, with the remaining candidate as the child; if there was no
// call, the child is everything since the marker. Another marker in `result` leads to `kept`: the
// candidate was the child, and there is no other.
#pragma once

#include "work_span/engine/call_origin.hpp"

struct OpenRegion {
  enum class Kind : u8 { spawn_in_c, spawn_in_cxx, scope, loop };
  enum class State : u8 {
    no_call,
    inlined,   // everything since the marker is a candidate
    candidate, // running
    ended,
    result, // what runs now may use the candidate's result
    second_inlined,
    second, // running, within the first one
    kept,   // also of a loop whose latest iteration is kept
  };

  OpenRegion(SourceLocation location, u64 local, u32 outer, Kind kind, State state)
      : location(location), local(local), loop{}, outer(outer), kind(kind), state(state) {}

  SourceLocation location;
  u64 local; // what the frame itself had executed along its path, at the marker or when `result`
             // began; of a loop, the thread's work as the latest iteration began
  union {
    struct {
      u64 iterations;
      u32 loops; // that were running in the thread as the region began
      u32 site;  // 1 + site of the loop of the machine code that has the iterations; 0: unknown
    } loop;
    struct {
      u32 inlined;  // name of the inlined candidate
      u32 argument; // span of the longest candidate that proved to be an argument (saturates)
    } spawn;
  };
  u32 outer; // 1 + number of the frame's region around it; 0: none
  Kind kind;
  State state;
  SpawnRole second{}; // of a second candidate
  bool several_calls = false;

  bool is_spawn() const { return kind <= Kind::spawn_in_cxx; }
  bool runs_inlined() const { return state == State::inlined || state == State::second_inlined; }
  // False if its frame's return is its end, as for a spawn in C.
  bool is_open() const { return kind != Kind::spawn_in_c || state == State::candidate; }
};
