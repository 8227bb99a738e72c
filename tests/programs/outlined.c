// OpenMP: the compiler makes the bodies of parallel regions routines of their own.
#include <stdio.h>

static int cells[4000];

__attribute__((noinline)) long parallel_sum(int n) {
  long total = 0;
#pragma omp parallel for schedule(static) reduction(+ : total) num_threads(4)
  for (int i = 0; i < n; i++)
    total += cells[i];
  return total;
}

int main(void) {
  for (int i = 0; i < 4000; i++)
    cells[i] = i;
  printf("%ld\n", parallel_sum(4000));
  printf("%ld\n", parallel_sum(2000));
  return 0;
}
