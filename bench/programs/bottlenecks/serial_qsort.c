// KIND serial phase, NAMES sort_keys: keys are made in parallel and sorted by the C library.
#include <stdio.h>
#include <stdlib.h>

enum { kKeys = 40000, kRounds = 2 };

static int by_value(const void *a, const void *b) {
  const unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
  return (x > y) - (x < y);
}

static unsigned mix(unsigned x) {
  for (int i = 0; i < 40; i++)
    x = (x ^ (x >> 13)) * 0x5bd1e995;
  return x;
}

static void sort_keys(unsigned *keys, int count) {
#ifdef FIXED
#pragma omp parallel for schedule(static, 1)
  for (int part = 0; part < 64; part++)
    qsort(keys + part * (count / 64), count / 64, sizeof *keys, by_value);
#else
  qsort(keys, count, sizeof *keys, by_value); // CULPRIT
#endif
}

int main(void) {
  unsigned *keys = malloc(kKeys * sizeof *keys);
  for (int round = 0; round < kRounds; round++) {
#pragma omp parallel for schedule(dynamic, 256)
    for (int i = 0; i < kKeys; i++)
      keys[i] = mix(i + round);
    sort_keys(keys, kKeys);
  }
  printf("%u\n", keys[kKeys / 2]);
}
