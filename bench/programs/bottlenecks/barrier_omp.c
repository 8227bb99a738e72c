// KIND barrier, NAMES simulate|main: a parallel region with a barrier in each step; another thread is late each time.
#include <omp.h>
#include <stdio.h>

enum { kSteps = 30 };

static unsigned field[64];

static unsigned evolve(unsigned x, int rounds) {
  for (int i = 0; i < rounds; i++)
    x = x * 1664525 + 1013904223;
  return x;
}

static void simulate(void) {
#pragma omp parallel
  {
    const int own = omp_get_thread_num(), all = omp_get_num_threads();
    unsigned x = own;
    for (int step = 0; step < kSteps; step++) {
      x = evolve(x, (step * 7 + own * 5) % all == 0 ? 16000 : 3000);
#ifndef FIXED
#pragma omp barrier // CULPRIT
#endif
    }
    field[own] = x;
  }
}

int main(void) {
  simulate();
  printf("%u\n", field[0]);
}
