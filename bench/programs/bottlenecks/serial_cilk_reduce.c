// KIND serial, NAMES total|energy: positions move in a cilk_for; their energy is added up serially.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

enum { kBodies = 4000, kSteps = 6 };

static double energy(const double* x, long begin, long end) {
#ifdef FIXED
  if (end - begin > 250) {
    long middle = (begin + end) / 2;
    double left = cilk_spawn energy(x, begin, middle);
    double right = energy(x, middle, end);
    cilk_sync;
    return left + right;
  }
#endif
  double sum = 0;
  for (long i = begin; i < end; i++) // CULPRIT
    sum += x[i] * x[i] / (1 + x[i]);
  return sum;
}

static void move(double* x) {
  cilk_for (long i = 0; i < kBodies; i++)
    for (int k = 0; k < 6; k++)
      x[i] = 0.9 * x[i] + 0.1 * k;
}

int main(void) {
  double *x = calloc(kBodies, sizeof *x), total = 0;
  for (int step = 0; step < kSteps; step++) {
    move(x);
    total += energy(x, 0, kBodies);
  }
  printf("%g\n", total);
}
