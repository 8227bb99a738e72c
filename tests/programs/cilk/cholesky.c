/* cholesky N: A = L L^T of a positive definite N by N matrix, in place, by halves:
   L11 of A11; L21 = A21 L11^-T; A22 -= L21 L21^T; L22 of A22. */
#include <cilk/cilk.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BASE = 8 };
static long width;

/* c -= a b^T: c is rows by columns, a is rows by depth. */
static void subtract_product(double* c, const double* a, const double* b, long rows, long columns,
                             long depth) {
  if (rows > BASE || columns > BASE) {
    int tall = rows >= columns;
    long h = (tall ? rows : columns) / 2, step = h * width;
    cilk_spawn subtract_product(c, a, b, tall ? h : rows, tall ? columns : h, depth);
    subtract_product(tall ? c + step : c + h, tall ? a + step : a, tall ? b : b + step,
                     tall ? rows - h : rows, tall ? columns : columns - h, depth);
    cilk_sync;
    return;
  }
  for (long i = 0; i < rows; ++i)
    for (long j = 0; j < columns; ++j)
      for (long k = 0; k < depth; ++k)
        c[i * width + j] -= a[i * width + k] * b[j * width + k];
}

/* a = a l^-T: each row of a by itself. */
static void solve(double* a, const double* l, long rows, long n) {
  cilk_for (long i = 0; i < rows; ++i) {
    double* row = a + i * width;
    for (long j = 0; j < n; ++j) {
      for (long k = 0; k < j; ++k)
        row[j] -= row[k] * l[j * width + k];
      row[j] /= l[j * width + j];
    }
  }
}

static void cholesky(double* a, long n) {
  if (n == 1) {
    *a = sqrt(*a);
    return;
  }
  long h = n / 2, rest = n - h;
  double *below = a + h * width, *last = below + h;
  cholesky(a, h);
  solve(below, a, rest, h);
  subtract_product(last, below, below, rest, rest, h);
  cholesky(last, rest);
}

int main(int argc, char** argv) {
  long n = argc > 1 ? atol(argv[1]) : 32;
  double *a = malloc(n * n * sizeof *a), checksum = 0;
  width = n;
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j)
      a[i * n + j] = i == j ? n : 1.0 / (1 + labs(i - j));
  cholesky(a, n);
  for (long i = 0; i < n; ++i)
    for (long j = 0; j <= i; ++j)
      checksum += a[i * n + j];
  printf("cholesky %ld\n%.6f\n", n, checksum);
  free(a);
  return 0;
}
