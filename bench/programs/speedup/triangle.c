// Rows of growing length, divided evenly by their number.
#include "churn.h"
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  const long size = atol(argv[argc - 1]);
  unsigned sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int row = 0; row < 400; row++)
    sum += churn(row, row * size);
  printf("%u\n", sum);
}
