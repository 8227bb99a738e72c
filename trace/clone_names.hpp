// Parses the names of clones, the copies and pieces that compilers make of a function:
// foo.constprop.0, foo.part.0, foo.cold, LTO's foo.lto_priv.0, clang's foo.llvm.123, target_clones'
// foo.avx2; demangled `foo(int) [clone .isra.0]`. A function that run-time libraries call, such as
// foo._omp_fn.0, is not a clone. Independent of Valgrind.
#pragma once

#include "base/types.hpp"

// The parts of a name, as lengths of its prefixes.
struct CloneName {
  std::size_t length;    // without a symbol version, as in foo@@GLIBC_2.34
  std::size_t in_source; // of the name as in the source
  std::size_t with_lto;  // of that with the suffix by which LTO tells namesakes apart
  std::size_t hot;       // without the suffix of rarely executed code
  unsigned pieces;       // how often code was split off: 2 for foo.part.0.cold

  static CloneName of(const char* name); // mangled or demangled
};
