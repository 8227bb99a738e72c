/* matmul N [BASE]: C += A B of N by N matrices, N a power of two, by halves: of the eight products
   four may run at once, twice. BASE: where the serial loops take over. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

static long width, base = 8;

static void multiply_serially(double* c, const double* a, const double* b, long n) {
  for (long i = 0; i < n; ++i)
    for (long k = 0; k < n; ++k) {
      double factor = a[i * width + k];
      for (long j = 0; j < n; ++j)
        c[i * width + j] += factor * b[k * width + j];
    }
}

static void multiply(double* c, const double* a, const double* b, long n) {
  if (n <= base) {
    multiply_serially(c, a, b, n);
    return;
  }
  long h = n / 2, right = h, below = h * width, across = below + right;
  cilk_spawn multiply(c, a, b, h);
  cilk_spawn multiply(c + right, a, b + right, h);
  cilk_spawn multiply(c + below, a + below, b, h);
  multiply(c + across, a + below, b + right, h);
  cilk_sync;
  cilk_spawn multiply(c, a + right, b + below, h);
  cilk_spawn multiply(c + right, a + right, b + across, h);
  cilk_spawn multiply(c + below, a + across, b + below, h);
  multiply(c + across, a + across, b + across, h);
  cilk_sync;
}

int main(int argc, char** argv) {
  long n = argc > 1 ? atol(argv[1]) : 32;
  if (argc > 2)
    base = atol(argv[2]);
  if (n < 1 || (n & (n - 1)) || base < 1)
    return 2;
  width = n;
  double *a = malloc(n * n * sizeof *a), *b = malloc(n * n * sizeof *b);
  double *c = calloc(n * n, sizeof *c), checksum = 0;
  for (long i = 0; i < n * n; ++i) {
    a[i] = i % 7;
    b[i] = i % 5;
  }
  multiply(c, a, b, n);
  for (long i = 0; i < n * n; ++i)
    checksum += c[i] * (i % 3 + 1);
  printf("matmul %ld\n%.0f\n", n, checksum);
  free(a);
  free(b);
  free(c);
  return 0;
}
