// Adds up matrices of many sizes column by column, against the order in memory.
#include <stdio.h>
#include <stdlib.h>

static double sum(const double *m, int n) {
  double s = 0;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) s += m[i * n + j];
  return s;
}

int main(void) {
  double all = 0;
  for (int n = 20; n <= 300; n += 20) {
    double *m = malloc((size_t)(n * n) * sizeof *m);
    for (int i = 0; i < n * n; i++) m[i] = i % 10;
    all += sum(m, n);
    free(m);
  }
  printf("%g\n", all);
}
