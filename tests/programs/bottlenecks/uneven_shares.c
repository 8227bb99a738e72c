// Rows of growing length, divided by their number; FIXED: as threads ask for them.
#include <stdio.h>
#include <stdlib.h>

enum { kRows = 800 };

#ifdef FIXED
#define SCHEDULE dynamic, 8
#else
#define SCHEDULE static
#endif
#define PRAGMA(text) _Pragma(#text)
#define PARALLEL_FOR(schedule_) PRAGMA(omp parallel for schedule(schedule_) reduction(+ : sum))

static double __attribute__((noinline)) convolve(const double *a) {
  double sum = 0;
  PARALLEL_FOR(SCHEDULE)
  for (int row = 0; row < kRows; row++)
    for (int i = 0; i < row; i++)
      sum += a[i] * a[kRows - 1 - i];
  return sum;
}

int main(void) {
  double *a = malloc(kRows * sizeof *a), sum = 0;
  for (int i = 0; i < kRows; i++)
    a[i] = i % 7;
  for (int k = 0; k < 4; k++)
    sum += convolve(a);
  printf("%g\n", sum);
}
