// KIND grain, NAMES paths: recursion with a task for each call, down to the last.
#include <stdio.h>

static long paths(int x, int y) {
  if (!x || !y)
    return 1;
  long right, down;
#ifdef FIXED
  if (x + y < 12)
    return paths(x - 1, y) + paths(x, y - 1);
#endif
#pragma omp task shared(right) // CULPRIT
  right = paths(x - 1, y);
#pragma omp task shared(down)
  down = paths(x, y - 1);
#pragma omp taskwait
  return right + down;
}

int main(void) {
  long found = 0;
#pragma omp parallel
#pragma omp single
  found = paths(7, 7);
  printf("%ld\n", found);
}
