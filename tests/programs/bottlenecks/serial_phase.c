// An array is scaled in parallel, and summed up by one thread after each step; FIXED: in parallel.
#include <stdio.h>
#include <stdlib.h>

enum { kSize = 20000, kSteps = 8 };

static void __attribute__((noinline)) scale(double *a) {
#pragma omp parallel for schedule(dynamic, 500)
  for (int i = 0; i < kSize; i++)
    a[i] = a[i] * 0.99 + 1;
}

static double __attribute__((noinline)) sum_up(const double *a) {
  double sum = 0;
#ifdef FIXED
#pragma omp parallel for schedule(dynamic, 500) reduction(+ : sum)
#endif
  for (int i = 0; i < kSize; i++)
    sum += a[i];
  return sum;
}

int main(void) {
  double *a = calloc(kSize, sizeof *a), sum = 0;
  for (int step = 0; step < kSteps; step++) {
    scale(a);
    sum += sum_up(a);
  }
  printf("%g\n", sum);
}
