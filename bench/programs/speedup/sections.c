// Two sections, of which one has twice as much to do.
#include "churn.h"
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  const long size = atol(argv[argc - 1]);
  unsigned a = 0, b = 0;
#pragma omp parallel sections
  {
#pragma omp section
    a = churn(1, 40000 * size);
#pragma omp section
    b = churn(2, 20000 * size);
  }
  printf("%u %u\n", a, b);
}
