// A task for each number; FIXED: for each 4,000.
#include <stdio.h>
#include <stdlib.h>

enum { kSize = 40000 };

static void __attribute__((noinline)) negate(int *a) {
#ifdef FIXED
  enum { kGrain = 4000 };
#else
  enum { kGrain = 4 };
#endif
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < kSize; i += kGrain) {
#pragma omp task firstprivate(i)
    for (int k = i; k < i + kGrain; k++)
      a[k] = -a[k] * 3 + k;
  }
}

int main(void) {
  int *a = calloc(kSize, sizeof *a);
  for (int k = 0; k < 3; k++)
    negate(a);
  printf("%d\n", a[kSize / 2]);
}
