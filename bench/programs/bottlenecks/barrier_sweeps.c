// KIND barrier, NAMES sweeps|main: a loop in each step of a region, with a barrier at its end; another thread is late each time.
#include <omp.h>
#include <stdio.h>

enum { CELLS = 4, STEPS = 36 };
static unsigned grid[CELLS];
static void sweeps(void) {
#pragma omp parallel num_threads(4)
  for (int s = 0; s < STEPS; s++) {
#ifdef FIXED
#pragma omp for schedule(static) nowait
#else
#pragma omp for schedule(static)
#endif
    for (int c = 0; c < CELLS; c++) // CULPRIT
      for (int k = (c * 5 + s) % 4 ? 900 : 9000; k > 0; k--)
        grid[c] = grid[c] * 5 + k;
  }
}

int main(void) {
  sweeps();
  printf("%u\n", grid[1]);
}
