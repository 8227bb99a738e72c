// KIND grain, NAMES scale|main: a dynamic loop that asks for each of its tiny iterations.
#include <stdio.h>
#include <stdlib.h>

enum { kSize = 30000 };

#ifdef FIXED
#define DIVIDED schedule(dynamic, 2000)
#else
#define DIVIDED schedule(dynamic)
#endif

static void scale(float *v, float by) {
#pragma omp parallel for DIVIDED
  for (int i = 0; i < kSize; i++)
    v[i] *= by; // CULPRIT
}

int main(void) {
  float *v = malloc(kSize * sizeof *v);
  for (int i = 0; i < kSize; i++)
    v[i] = i;
  for (int k = 0; k < 4; k++)
    scale(v, 1.5f);
  printf("%g\n", v[9]);
}
