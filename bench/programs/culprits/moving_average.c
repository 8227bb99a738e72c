// Smooths a signal; the mean over a tenth of it is added up anew at each place.
// culprit: smooth, mean
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double mean(const double* x, int from, int to) {
  double sum = 0;
  for (int i = from; i < to; i++) // CULPRIT
    sum += x[i];
  return sum / (to - from);
}

static void smooth(const double* x, double* y, int length) {
  int window = length / 10;
#ifdef REPAIRED
  double sum = window * mean(x, 0, window);
  for (int i = window; i < length; i++) {
    y[i] = sum / window;
    sum += x[i] - x[i - window];
  }
#else
  for (int i = window; i < length; i++)
    y[i] = mean(x, i - window, i);
#endif
}

static double roughness(int length) {
  double *x = malloc(length * sizeof *x), *y = calloc(length, sizeof *y), sum = 0;
  for (int i = 0; i < length; i++)
    x[i] = sin(i * 0.01) + (i * 7919 % 101) * 0.001;
  smooth(x, y, length);
  for (int i = length / 10; i < length; i++)
    sum += fabs(x[i] - y[i]);
  free(x);
  free(y);
  return sum / length;
}

int main(void) {
  double sum = 0;
  for (int length = 500; length <= 6000; length += 500)
    sum += roughness(length);
  printf("%g\n", sum);
}
