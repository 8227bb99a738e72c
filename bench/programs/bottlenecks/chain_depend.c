// KIND chain, NAMES main|blocks|step: tasks that all depend on the same variable.
#include <stdio.h>

enum { BLOCKS = 24, SIZE = 900 };
static double v[BLOCKS][SIZE], carry;
static void step(double* b, double c) {
  for (int k = 0; k < 6; k++)
    for (int i = 0; i < SIZE; i++)
      b[i] = b[i] * .5 + c + k;
}

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int b = 0; b < BLOCKS; b++) {
#ifdef FIXED
#pragma omp task depend(inout : v[b])
    step(v[b], b);
#else
#pragma omp task depend(inout : carry) // CULPRIT
    {
      step(v[b], carry);
      carry = v[b][SIZE - 1];
    }
#endif
  }
  printf("%g %g\n", carry, v[3][3]);
}
