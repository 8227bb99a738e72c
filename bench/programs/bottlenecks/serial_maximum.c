// KIND serial, NAMES normalise: after a parallel dot product per row, one thread finds the maximum and divides.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void rows(const float* m, float* o, int n) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; i++) {
    float s = 0;
    for (int j = 0; j < 24; j++)
      s += m[i] * m[(i + j) % n];
    o[i] = s;
  }
}

static void normalise(float* o, int n) {
#ifdef FIXED
  float m = 0;
#pragma omp parallel for reduction(max : m)
  for (int i = 0; i < n; i++)
    m = fmaxf(m, fabsf(o[i]));
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    o[i] = sqrtf(o[i] / m);
#else
  float m = 0;
  for (int i = 0; i < n; i++)
    m = fmaxf(m, fabsf(o[i]));
  for (int i = 0; i < n; i++)
    o[i] = sqrtf(o[i] / m); // CULPRIT
#endif
}

int main(void) {
  int n = 20000;
  float *m = malloc(n * 4), *o = malloc(n * 4);
  for (int i = 0; i < n; i++)
    m[i] = i % 7;
  for (int t = 0; t < 6; t++) {
    rows(m, o, n);
    normalise(o, n);
  }
  printf("%g\n", o[5]);
}
