// Names of what compilers make of one function besides its plain code, copies and pieces:
// foo.constprop.0, foo.part.0, foo.cold, LTO's foo.lto_priv.0, clang's foo.llvm.123, target_clones'
// foo.avx2; demangled `foo(int) [clone .isra.0]`. What run-time libraries call, as foo._omp_fn.0,
// is a function of its own. Knows nothing of Valgrind.
#pragma once

#include "base/types.hpp"

// How much of a name is the function's.
struct CloneName {
  std::size_t length;  // without a symbol's version, foo@@GLIBC_2.34
  std::size_t written; // length of the name that the source has
  std::size_t told;    // of that with what LTO adds to tell namesakes apart
  std::size_t hot;     // length without the suffix of code that is hardly ever executed
  unsigned pieces;     // how often code was split off: 2 of foo.part.0.cold

  static CloneName of(const char* name); // mangled or demangled
};
