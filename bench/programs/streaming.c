// streaming MEGABYTES ROUNDS: a[i] = b[i] + 3 c[i] over three arrays of so many megabytes together.
#include <stdio.h>
#include <stdlib.h>

static __attribute__((noinline)) void triad(double* a, const double* b, const double* c, size_t n) {
  for (size_t i = 0; i < n; i++)
    a[i] = b[i] + 3 * c[i];
}

int main(int argc, char** argv) {
  if (argc != 3)
    return 2;
  const size_t n = strtoul(argv[1], NULL, 10) * (1 << 20) / 3 / sizeof(double);
  double* array[3];
  for (int k = 0; k < 3; k++) {
    array[k] = malloc(n * sizeof(double));
    for (size_t i = 0; i < n; i++)
      array[k][i] = (double)(i % 7);
  }
  const int rounds = atoi(argv[2]);
  for (int round = 0; round < rounds; round++)
    triad(array[round % 3], array[(round + 1) % 3], array[(round + 2) % 3], n);
  printf("%g\n", array[0][n / 2]);
  return 0;
}
