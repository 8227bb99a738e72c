// Work that takes as long as it has rounds, whatever the caches do.
#pragma once

static inline unsigned churn(unsigned x, long rounds) {
  for (long i = 0; i < rounds; i++)
    x = x * 1664525 + (x >> 9);
  return x;
}
