// KIND imbalance, NAMES main: a triangle of distances, its rows divided evenly by their number.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { kPoints = 500 };

#ifdef FIXED
#define DIVIDED schedule(dynamic, 4)
#else
#define DIVIDED schedule(static)
#endif

int main(void) {
  double *x = malloc(kPoints * sizeof *x), *y = malloc(kPoints * sizeof *y), total = 0;
  for (int i = 0; i < kPoints; i++) {
    x[i] = i * 37 % 101;
    y[i] = i * 53 % 103;
  }
#pragma omp parallel for DIVIDED reduction(+ : total)
  for (int i = 0; i < kPoints; i++)
    for (int j = i + 1; j < kPoints; j++) // CULPRIT
      total += sqrt((x[i] - x[j]) * (x[i] - x[j]) + (y[i] - y[j]) * (y[i] - y[j]));
  printf("%g\n", total);
}
