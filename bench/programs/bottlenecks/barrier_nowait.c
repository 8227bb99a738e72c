// KIND barrier|imbalance, NAMES solve|main: two loops of one region wait for each other without need.
#include <omp.h>
#include <stdio.h>

enum { kBlocks = 4, kRounds = 12 };

static unsigned a[kBlocks], b[kBlocks];

#ifdef FIXED
#define LOOP for schedule(static, 1) nowait
#else
#define LOOP for schedule(static, 1)
#endif
#define PRAGMA(text) _Pragma(#text)
#define OMP(clause) PRAGMA(omp clause)

static unsigned mix(unsigned x, int rounds) {
  for (int i = 0; i < rounds; i++)
    x = x * 1597334677 + i;
  return x;
}

static void solve(void) {
#pragma omp parallel
  for (int round = 0; round < kRounds; round++) {
    OMP(LOOP)
    for (int i = 0; i < kBlocks; i++) // CULPRIT
      a[i] = mix(a[i], (i + round) % 4 == 0 ? 18000 : 2000);
    OMP(LOOP)
    for (int i = 0; i < kBlocks; i++)
      b[i] = mix(b[i], (i + round) % 4 == 2 ? 18000 : 2000);
  }
}

int main(void) {
  solve();
  printf("%u %u\n", a[0], b[0]);
}
