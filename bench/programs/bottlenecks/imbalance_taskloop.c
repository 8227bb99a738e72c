// KIND imbalance, NAMES factor_rows|main: a task loop of four tasks, whose rows get longer.
#include <stdio.h>
#include <stdlib.h>

enum { kRows = 320 };

#ifdef FIXED
#define PIECES num_tasks(64)
#else
#define PIECES num_tasks(4)
#endif

static void factor_rows(double* a) {
#pragma omp parallel
#pragma omp single
#pragma omp taskloop PIECES
  for (int i = 0; i < kRows; i++) // CULPRIT
    for (int j = 0; j < i; j++) {
      double sum = a[i * kRows + j];
      for (int k = 0; k < 8; k++)
        sum -= a[i * kRows + k] * a[j * kRows + k];
      a[i * kRows + j] = sum;
    }
}

int main(void) {
  double* a = calloc(kRows * kRows, sizeof *a);
#pragma omp parallel for
  for (int i = 0; i < kRows * kRows; i++)
    a[i] = i % 11;
  factor_rows(a);
  printf("%g\n", a[kRows * kRows - 2]);
}
