// What a routine is to the shadow.
#pragma once

#include "base/types.hpp"

enum class RoutineClass : u8 {
  unknown,
  program, // its work is work
  // What the system's libraries do for the program is work; for a threading run-time library,
  // overhead.
  system,
  // As program or system, but never a spawned child: destructors and the like, which run after it,
  // and v[i], where its result goes.
  cleanup,
  system_cleanup,
  // A threading run-time library, and what calls main: overhead, and no call site.
  runtime,
  libtbb,    // of those, one that calls tasks
  templates, // oneTBB's, in the program: its frames are hidden, but what it calls is the program's
};

// Visible from the program, and no template's code. It has no hook.
inline bool is_plain(RoutineClass c) {
  return RoutineClass::program <= c && c <= RoutineClass::system_cleanup;
}
