// Vectors of 16 bytes, which every amd64 processor has: those of GCC and clang, whose operators
// work on all elements. A comparison yields 0 or -1 in each.
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

// Whether any element is set in what a comparison yields, or several combined by &, | and ~.
template <typename Vector> bool is_any(Vector compared) {
  using Bytes = char __attribute__((vector_size(16)));
  return __builtin_ia32_pmovmskb128(reinterpret_cast<Bytes>(compared)) != 0;
}
