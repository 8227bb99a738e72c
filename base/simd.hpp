// Vectors of 16 bytes, which every amd64 processor supports, as GCC and clang define them:
// operators work element by element, and a comparison yields 0 or -1 in each element.
#pragma once

#include "base/types.hpp"

using I32x4 = i32 __attribute__((vector_size(16)));
using I64x2 = i64 __attribute__((vector_size(16)));
using U8x16 = u8 __attribute__((vector_size(16)));

template <typename Vector> Vector load(const void* from) {
  Vector vector;
  __builtin_memcpy(&vector, from, sizeof vector);
  return vector;
}

template <typename Vector> void store(void* to, Vector vector) {
  __builtin_memcpy(to, &vector, sizeof vector);
}

// Returns whether any element of a comparison's result is set. Results can be combined with &, |
// and ~.
template <typename Vector> bool is_any(Vector compared) {
  using Bytes = char __attribute__((vector_size(16)));
  return __builtin_ia32_pmovmskb128(reinterpret_cast<Bytes>(compared)) != 0;
}
