// KIND chain, NAMES advance|step|main: tasks that each depend on the one before.
#include <stdio.h>

enum { kSteps = 50 };

static double state[kSteps];

static double step(double x) {
  for (int i = 0; i < 6000; i++)
    x = 3.7 * x * (1 - x);
  return x;
}

static void advance(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 1; i < kSteps; i++) {
#ifdef FIXED
#pragma omp task depend(out : state[i])
    state[i] = step(0.3 + i * 0.001);
#else
#pragma omp task depend(in : state[i - 1]) depend(out : state[i])
    state[i] = step(state[i - 1]); // CULPRIT
#endif
  }
}

int main(void) {
  state[0] = 0.3;
  advance();
  printf("%g\n", state[kSteps - 1]);
}
