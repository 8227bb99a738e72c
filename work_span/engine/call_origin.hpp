// The source position of a call, and the role that it may have in a spawn. This is how the spawned
// child is told from other calls near a spawn's marker (cilk_regions.hpp).
#pragma once

#include "base/types.hpp"

// A line of a source file, as a number; 0: unknown.
using SourceLocation = u64;

// The role that a call may have in the spawn that its caller is in.
//
//   role      what is called                                         the call may be
//   child     any other routine of the program                       the child, or in its argument
//   functor   an operator()                                          the child, or an accessor
//   any       an operator, a constructor, the standard library's     the child, in its argument, or
//                                                                    a use of the child's result
//   copy      memcpy and the like                                    as `any`; in C, compilers copy
//                                                                    structs with it
//   no_child  a destructor or the like, v[i]                         a use of the child's result
enum class SpawnRole : u8 { child, functor, any, copy, no_child };

constexpr bool may_use_result(SpawnRole role) {
  return role == SpawnRole::any || role == SpawnRole::copy;
}

struct CallOrigin {
  SourceLocation location = 0;
  // Number of the name of the outermost routine that is inlined into the caller and contains the
  // call; 0: the call is the caller's own. The role is then that of the inlined routine.
  u32 inlined = 0;
  SpawnRole role{};

  // Whether it may be the child, if no other call is more likely.
  bool may_be_spawned() const { return inlined == 0 && role != SpawnRole::no_child; }
};
