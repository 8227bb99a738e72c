// KIND grain, NAMES place|queens: a task for each queen that can be placed, down to the last row.
#include <stdio.h>

enum { kSize = 8 };

#ifdef FIXED
#define CUTOFF 2
#else
#define CUTOFF kSize
#endif

static int solutions;

static void place(int row, unsigned columns, unsigned left, unsigned right) {
  if (row == kSize) {
#pragma omp atomic
    solutions++;
    return;
  }
  for (int c = 0; c < kSize; c++) {
    unsigned bit = 1u << c;
    if ((columns | left | right) & bit)
      continue;
if (row >= CUTOFF) {
      place(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
      continue;
    }
#pragma omp task // CULPRIT
    place(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  if (row < CUTOFF) {
#pragma omp taskwait
  }
}

int main(void) {
#pragma omp parallel
#pragma omp single
  place(0, 0, 0, 0);
  printf("%d\n", solutions);
}
