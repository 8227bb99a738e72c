// Where in the source a call comes from, and what it may be to a spawn: by that the spawned child
// is told from the other calls near a spawn's marker (cilk_regions.hpp).
#pragma once

#include "base/types.hpp"

// A line of a source file, as a number; 0: unknown.
using SourceLocation = u64;

// What a call may be to a spawn that its caller is in.
//
//   role      what is called                                         it may be
//   child     any other routine of the program                       the child or its argument
//   functor   an operator()                                          the child, or a mere access
//   any       an operator, a constructor, the standard library's     the child or its argument, or
//                                                                    it uses the child's result
//   copy      memcpy and its like                                    as `any`; in C, compilers copy
//                                                                    structs so
//   no_child  a destructor or the like, v[i]                         it uses the child's result
enum class SpawnRole : u8 { child, functor, any, copy, no_child };

constexpr bool may_use_result(SpawnRole role) {
  return role == SpawnRole::any || role == SpawnRole::copy;
}

struct CallOrigin {
  SourceLocation location = 0;
  // The name of the outermost routine that is inlined into the caller and calls, as a number;
  // 0: the caller calls itself. The role is then that of the inlined routine.
  u32 inlined = 0;
  SpawnRole role{};

  // If there is no call that may be it rather.
  bool may_be_spawned() const { return inlined == 0 && role != SpawnRole::no_child; }
};
