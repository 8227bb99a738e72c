// Tasks on a grid, each after those above and to the left of it: a dag that does not fold.
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 300 };
static char cells[kMost + 1][kMost + 1];

int main(int argc, char **argv) {
  const int size = argc > 1 ? atoi(argv[1]) : kMost;
#pragma omp parallel
#pragma omp single
  for (int i = 1; i <= size; i++)
    for (int j = 1; j <= size; j++) {
#pragma omp task depend(in : cells[i - 1][j], cells[i][j - 1]) depend(out : cells[i][j])
      for (volatile int k = 0; k < 50; k++)
        ;
    }
  printf("%d\n", cells[size][size]);
}
