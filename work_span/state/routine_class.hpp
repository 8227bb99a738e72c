// The class of a routine: how the shadow treats it.
//
//   class           its work   is a call site   may be a spawned child
//   program         work       yes              yes
//   system          work       yes              yes
//   cleanup         work       yes              no
//   system_cleanup  work       yes              no
//   runtime         overhead   no               no
//   libtbb          overhead   no               no
//   templates       work       no               no
//
// A cleanup is a destructor or the like, which runs after the child, or v[i], which yields the
// place for its result. `runtime` is a threading run-time library, or the code that calls main;
// libtbb is the only such library that calls tasks. `templates` are oneTBB's, inlined into the
// program; what they call is the program's. The system's libraries count as overhead if a run-time
// library calls them.
#pragma once

#include "base/types.hpp"

enum class RoutineClass : u8 {
  unknown,
  program,
  system,
  cleanup,
  system_cleanup,
  runtime,
  libtbb,
  templates,
};

// Whether its calls are call sites, and it has no hook.
inline bool is_plain(RoutineClass c) {
  return RoutineClass::program <= c && c <= RoutineClass::system_cleanup;
}
