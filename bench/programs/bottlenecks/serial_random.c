// KIND serial, NAMES fill_random: matrices are multiplied in parallel, but filled by one thread, from one generator.
#include <stdio.h>
#include <stdlib.h>

enum { N = 72, M = N * N };
static unsigned seed = 1;
static unsigned next_random(void) {
  for (int k = 0; k < 12; k++)
    seed = seed * 1664525 + 1013904223;
  return seed >> 8;
}

static void fill_random(float* m) {
#ifdef FIXED
#pragma omp parallel for
  for (int i = 0; i < N; i++) {
    unsigned s = i;
    for (int j = 0; j < N; j++) {
      for (int k = 0; k < 12; k++)
        s = s * 1664525 + 1013904223;
      m[i * N + j] = s >> 8;
    }
  }
#else
  for (int i = 0; i < M; i++)
    m[i] = next_random(); // CULPRIT
#endif
}

static void multiply(const float* a, const float* b, float* c) {
#pragma omp parallel for
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      float s = 0;
      for (int k = 0; k < N; k++)
        s += a[i * N + k] * b[k * N + j];
      c[i * N + j] = s;
    }
}

int main(void) {
  float *a = malloc(M * 4), *b = malloc(M * 4), *c = malloc(M * 4), t = 0;
  for (int r = 0; r < 6; r++) {
    fill_random(a);
    fill_random(b);
    multiply(a, b, c);
    t += c[r];
  }
  printf("%g\n", t);
}
