// Tasks of which each changes what the one before has changed; FIXED: each changes its own.
#include <stdio.h>

enum { kTasks = 60 };

static unsigned values[kTasks];

static unsigned __attribute__((noinline)) churn(unsigned x) {
  for (int i = 0; i < 20000; i++)
    x = x * 1664525 + 1013904223;
  return x;
}

static void __attribute__((noinline)) update(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < kTasks; i++) {
#ifdef FIXED
    unsigned *value = &values[i];
#else
    unsigned *value = &values[0];
#endif
#pragma omp task depend(inout : *value) firstprivate(value)
    *value = churn(*value + i);
  }
}

int main(void) {
  update();
  printf("%u\n", values[0]);
}
