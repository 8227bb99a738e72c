// KIND chain, NAMES sweep|main: tasks of a grid that has few columns: each depends on those left and above.
#include <stdio.h>

enum { kRows = 40, kColumns = 2 };

static double grid[kRows + 1][kColumns + 1];

static double relax(double left, double up) {
  double x = left + up + 0.5;
  for (int i = 0; i < 3000; i++)
    x = x * 0.99 + left * 0.003;
  return x;
}

static void sweep(void) {
#pragma omp parallel
#pragma omp single
  for (int r = 1; r <= kRows; r++)
    for (int c = 1; c <= kColumns; c++) {
#ifdef FIXED
#pragma omp task firstprivate(r, c)
      grid[r][c] = relax(r, c);
#else
#pragma omp task depend(in : grid[r - 1][c], grid[r][c - 1]) depend(out : grid[r][c]) firstprivate(r, c)
      grid[r][c] = relax(grid[r][c - 1], grid[r - 1][c]); // CULPRIT
#endif
    }
}

int main(void) {
  sweep();
  printf("%g\n", grid[kRows][kColumns]);
}
