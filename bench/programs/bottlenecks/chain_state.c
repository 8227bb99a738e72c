// KIND chain, NAMES step|advance|main: each task changes the state that the one before it has left.
#include <stdio.h>

enum { kSteps = 60 };

static unsigned state, parts[kSteps];

static unsigned step(unsigned x) {
  for (int i = 0; i < 3000; i++)
    x = x * 1103515245 + 12345;
  return x;
}

static void advance(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < kSteps; i++) {
#ifdef FIXED
#pragma omp task
    parts[i] = step(i);
#else
#pragma omp task depend(inout : state) // CULPRIT
    parts[i] = state = step(state);
#endif
  }
}

int main(void) {
  advance();
  printf("%u\n", parts[kSteps - 1]);
}
