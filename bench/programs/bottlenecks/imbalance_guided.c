// KIND imbalance, NAMES relax|costs|main: a guided loop whose first iterations are the long ones: its first chunk is too large.
#include <stdio.h>

enum { kItems = 400 };
static double result[kItems];

#ifdef FIXED
#define DIVIDED schedule(dynamic, 2)
#else
#define DIVIDED schedule(guided)
#endif

static double relax(int item) {
  double x = 1;
  for (int i = 0; i < (kItems - item) * (kItems - item) / 400; i++)
    x = 0.5 * (x + item / x);
  return x;
}

int main(void) {
#pragma omp parallel for DIVIDED
  for (int i = 0; i < kItems; i++) // CULPRIT
    result[i] = relax(i + 1);
  printf("%g\n", result[5]);
}
