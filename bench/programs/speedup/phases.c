// A third of the work is serial.
#include "churn.h"
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  const long size = atol(argv[argc - 1]);
  unsigned sum = 1;
  for (int step = 0; step < 4; step++) {
    sum = churn(sum, 6000 * size);
#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
    for (int i = 0; i < 12; i++)
      sum += churn(i + step, 1000 * size);
  }
  printf("%u\n", sum);
}
