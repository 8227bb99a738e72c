// KIND imbalance, NAMES solve: a spawned half of a tenth, and a rest of nine tenths that is not divided again.
#include <cilk/cilk.h>
#include <stdio.h>

static unsigned sums[4];

__attribute__((noinline)) static void solve(int part, int rounds) {
  for (int i = 0; i < rounds; i++) // CULPRIT
    sums[part] = sums[part] * 31 + i;
}

__attribute__((noinline)) static void divide(int rounds) {
#ifdef FIXED
  const int shares[4] = {rounds / 4, rounds / 4, rounds / 4, rounds / 4};
#else
  const int shares[4] = {rounds / 20, rounds / 20, rounds / 20, rounds - 3 * (rounds / 20)};
#endif
  cilk_spawn solve(0, shares[0]);
  cilk_spawn solve(1, shares[1]);
  cilk_spawn solve(2, shares[2]);
  solve(3, shares[3]);
  cilk_sync;
}

int main(void) {
  divide(200000);
  printf("%u\n", sums[3]);
}
