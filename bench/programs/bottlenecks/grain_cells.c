// KIND grain, NAMES main|step|cell: a task for each cell of a row.
#include <stdio.h>

enum { kCells = 3000, kSteps = 2 };

static int cells[kCells], next[kCells];

static void cell(int i) { next[i] = (cells[(i + 1) % kCells] + 3 * cells[i] + i) % 251; }

static void step(void) {
#ifdef FIXED
  enum { kBlock = 750 };
#else
  enum { kBlock = 1 };
#endif
#pragma omp parallel
#pragma omp single
  for (int first = 0; first < kCells; first += kBlock)
#pragma omp task // CULPRIT
    for (int i = first; i < first + kBlock; i++)
      cell(i);
}

int main(void) {
  for (int s = 0; s < kSteps; s++)
    step();
  printf("%d\n", next[5]);
  return 0;
}
