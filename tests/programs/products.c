// A loop within a loop, whose header gets an instruction from the declarations above both.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 12;
  double *a = malloc(n * n * 8), *b = malloc(n * n * 8), *c = calloc(n * n, 8), trace = 0;
  for (int i = 0; i < n * n; i++) {
    a[i] = i % 7;
    b[i] = i % 5;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
  for (int i = 0; i < n * n; i++)
    trace += c[i];
  printf("%g\n", trace);
}
