// KIND grain, NAMES axpy|main|iterate: a parallel region for each short vector operation.
#include <stdio.h>

enum { kSize = 64, kSteps = 400 };

static double x[kSize], y[kSize];

static void axpy(double a, int n) {
#ifdef FIXED
  for (int i = 0; i < n; i++)
    y[i] += a * x[i];
#else
#pragma omp parallel for
  for (int i = 0; i < n; i++) // CULPRIT
    y[i] += a * x[i];
#endif
}

int main(void) {
  for (int i = 0; i < kSize; i++)
    x[i] = i;
  for (int step = 0; step < kSteps; step++)
    axpy(1.0 / (step + 1), kSize);
  printf("%g\n", y[3]);
}
