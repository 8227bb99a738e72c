// Recursive tasks, down to a cutoff.
#include <stdio.h>
#include <stdlib.h>

static long paths(int x, int y, int cutoff) {
  if (!x || !y)
    return 1;
  if (x + y <= cutoff)
    return paths(x - 1, y, cutoff) + paths(x, y - 1, cutoff);
  long right, down;
#pragma omp task shared(right)
  right = paths(x - 1, y, cutoff);
  down = paths(x, y - 1, cutoff);
#pragma omp taskwait
  return right + down;
}

int main(int argc, char **argv) {
  long found = 0;
  for (int i = 0; i < atoi(argv[argc - 1]); i += 10) {
#pragma omp parallel
#pragma omp single
    found += paths(10, 10, 16);
  }
  printf("%ld\n", found);
}
