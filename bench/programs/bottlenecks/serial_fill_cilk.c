// KIND serial phase, NAMES fill: a matrix is filled by one strand and multiplied by many.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

enum { kSize = 48 };

static unsigned next(unsigned *state) {
  for (int i = 0; i < 12; i++)
    *state = *state * 1664525 + 1013904223;
  return *state >> 16;
}

static void fill(double *a, unsigned seed) {
#ifdef FIXED
  cilk_for (int row = 0; row < kSize; row++) {
    unsigned state = seed + row;
    for (int i = 0; i < kSize; i++)
      a[row * kSize + i] = next(&state);
  }
#else
  for (int i = 0; i < kSize * kSize; i++) // CULPRIT
    a[i] = next(&seed);
#endif
}

static void row_times(const double *a, const double *b, double *c) {
  for (int j = 0; j < kSize; j++) {
    double sum = 0;
    for (int k = 0; k < kSize; k++)
      sum += a[k] * b[k * kSize + j];
    c[j] = sum;
  }
}

int main(void) {
  static double a[kSize * kSize], b[kSize * kSize], c[kSize * kSize];
  for (int round = 0; round < 4; round++) {
    fill(a, round);
    fill(b, round + 100);
    cilk_for (int i = 0; i < kSize; i++)
      row_times(a + i * kSize, b, c + i * kSize);
  }
  printf("%g\n", c[kSize]);
}
