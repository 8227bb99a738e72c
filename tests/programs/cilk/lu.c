/* lu N: A = L U of an N by N matrix, in place, without pivots, by quarters. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

enum { BASE = 8 };
static long width;

/* c -= a b: c is rows by columns, depth what a and b share. */
static void subtract_product(double* c, const double* a, const double* b, long rows, long columns,
                             long depth) {
  if (rows > BASE && rows >= columns) {
    long h = rows / 2;
    cilk_spawn subtract_product(c, a, b, h, columns, depth);
    subtract_product(c + h * width, a + h * width, b, rows - h, columns, depth);
    cilk_sync;
  } else if (columns > BASE) {
    long h = columns / 2;
    cilk_spawn subtract_product(c, a, b, rows, h, depth);
    subtract_product(c + h, a, b + h, rows, columns - h, depth);
    cilk_sync;
  } else
    for (long i = 0; i < rows; ++i)
      for (long k = 0; k < depth; ++k)
        for (long j = 0; j < columns; ++j)
          c[i * width + j] -= a[i * width + k] * b[k * width + j];
}

/* a = l^-1 a, with ones on l's diagonal: each column of a by itself. */
static void solve_lower(double* a, const double* l, long n, long columns) {
  cilk_for (long j = 0; j < columns; ++j)
    for (long i = 1; i < n; ++i)
      for (long k = 0; k < i; ++k)
        a[i * width + j] -= l[i * width + k] * a[k * width + j];
}

/* a = a u^-1: each row of a by itself. */
static void solve_upper(double* a, const double* u, long rows, long n) {
  cilk_for (long i = 0; i < rows; ++i)
    for (long j = 0; j < n; ++j) {
      for (long k = 0; k < j; ++k)
        a[i * width + j] -= a[i * width + k] * u[k * width + j];
      a[i * width + j] /= u[j * width + j];
    }
}

static void lu(double* a, long n) {
  if (n == 1)
    return;
  long h = n / 2, rest = n - h;
  double *right = a + h, *below = a + h * width, *last = below + h;
  lu(a, h);
  cilk_spawn solve_lower(right, a, h, rest);
  solve_upper(below, a, rest, h);
  cilk_sync;
  subtract_product(last, below, right, rest, rest, h);
  lu(last, rest);
}

int main(int argc, char** argv) {
  long n = argc > 1 ? atol(argv[1]) : 32;
  double *a = malloc(n * n * sizeof *a), checksum = 0;
  width = n;
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j)
      a[i * n + j] = i == j ? n : (i * 7 + j * 3) % 5 / 5.0;
  lu(a, n);
  for (long i = 0; i < n * n; ++i)
    checksum += a[i];
  printf("lu %ld\n%.6f\n", n, checksum);
  free(a);
  return 0;
}
