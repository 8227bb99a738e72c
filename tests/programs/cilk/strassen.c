/* strassen N: C = A B of N by N matrices, N a power of two, with seven products of halves. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

enum { BASE = 8 };

/* A square part of a matrix: its first cell, and how far the next row is. */
struct square {
  double* at;
  long width;
};

static struct square quarter(struct square m, long row, long column, long h) {
  struct square part = {m.at + row * h * m.width + column * h, m.width};
  return part;
}

/* to = a + sign b */
static void add(struct square to, struct square a, double sign, struct square b, long n) {
  cilk_for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j)
      to.at[i * to.width + j] = a.at[i * a.width + j] + sign * b.at[i * b.width + j];
}

static void multiply_serially(struct square c, struct square a, struct square b, long n) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) {
      double sum = 0;
      for (long k = 0; k < n; ++k)
        sum += a.at[i * a.width + k] * b.at[k * b.width + j];
      c.at[i * c.width + j] = sum;
    }
}

static void multiply(struct square c, struct square a, struct square b, long n);

/* m = (a + a_sign a2) (b + b_sign b2) */
static void product(struct square m, struct square a, double a_sign, struct square a2,
                    struct square b, double b_sign, struct square b2, long n) {
  double* space = malloc(2 * n * n * sizeof *space);
  struct square left = {space, n}, right = {space + n * n, n};
  add(left, a, a_sign, a2, n);
  add(right, b, b_sign, b2, n);
  multiply(m, left, right, n);
  free(space);
}

static void multiply(struct square c, struct square a, struct square b, long n) {
  if (n <= BASE) {
    multiply_serially(c, a, b, n);
    return;
  }
  long h = n / 2;
  double* space = malloc(7 * h * h * sizeof *space);
  struct square m[7];
  for (int i = 0; i < 7; ++i) {
    m[i].at = space + i * h * h;
    m[i].width = h;
  }
  struct square a11 = quarter(a, 0, 0, h), a12 = quarter(a, 0, 1, h);
  struct square a21 = quarter(a, 1, 0, h), a22 = quarter(a, 1, 1, h);
  struct square b11 = quarter(b, 0, 0, h), b12 = quarter(b, 0, 1, h);
  struct square b21 = quarter(b, 1, 0, h), b22 = quarter(b, 1, 1, h);
  cilk_spawn product(m[0], a11, 1, a22, b11, 1, b22, h);
  cilk_spawn product(m[1], a21, 1, a22, b11, 0, b11, h);
  cilk_spawn product(m[2], a11, 0, a11, b12, -1, b22, h);
  cilk_spawn product(m[3], a22, 0, a22, b21, -1, b11, h);
  cilk_spawn product(m[4], a11, 1, a12, b22, 0, b22, h);
  cilk_spawn product(m[5], a21, -1, a11, b11, 1, b12, h);
  product(m[6], a12, -1, a22, b21, 1, b22, h);
  cilk_sync;
  cilk_for (long i = 0; i < h; ++i)
    for (long j = 0; j < h; ++j) {
      const double* at = space + i * h + j;
      double *upper = c.at + i * c.width + j, *lower = upper + h * c.width;
      long next = h * h;
      upper[0] = at[0] + at[3 * next] - at[4 * next] + at[6 * next];
      upper[h] = at[2 * next] + at[4 * next];
      lower[0] = at[next] + at[3 * next];
      lower[h] = at[0] - at[next] + at[2 * next] + at[5 * next];
    }
  free(space);
}

int main(int argc, char** argv) {
  long n = argc > 1 ? atol(argv[1]) : 32;
  if (n < 1 || (n & (n - 1)))
    return 2;
  double *cells = malloc(3 * n * n * sizeof *cells), checksum = 0;
  struct square a = {cells, n}, b = {cells + n * n, n}, c = {cells + 2 * n * n, n};
  for (long i = 0; i < n * n; ++i) {
    a.at[i] = i % 7;
    b.at[i] = i % 5;
  }
  multiply(c, a, b, n);
  for (long i = 0; i < n * n; ++i)
    checksum += c.at[i] * (i % 3 + 1);
  printf("strassen %ld\n%.0f\n", n, checksum);
  free(cells);
  return 0;
}
