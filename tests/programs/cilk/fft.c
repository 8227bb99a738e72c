/* fft N: the discrete Fourier transform of N complex numbers, N a power of two. */
#include <cilk/cilk.h>
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BASE = 64 };

static const double complex* roots; /* of unity, as many as all[] has numbers */
static long all;

/* to[k] and to[k + h] of the halves' transforms, for k in [low, high). */
static void combine(double complex* to, long h, long low, long high) {
  if (high - low > BASE) {
    long middle = low + (high - low) / 2;
    cilk_spawn combine(to, h, low, middle);
    combine(to, h, middle, high);
    cilk_sync;
    return;
  }
  for (long k = low; k < high; ++k) {
    double complex even = to[k], odd = to[k + h] * roots[k * (all / (2 * h))];
    to[k] = even + odd;
    to[k + h] = even - odd;
  }
}

static void fft(double complex* to, const double complex* from, long n, long stride) {
  if (n == 1) {
    *to = *from;
    return;
  }
  long h = n / 2;
  cilk_spawn fft(to, from, h, 2 * stride);
  fft(to + h, from + stride, h, 2 * stride);
  cilk_sync;
  combine(to, h, 0, h);
}

int main(int argc, char** argv) {
  long n = argc > 1 ? atol(argv[1]) : 256;
  if (n < 1 || (n & (n - 1)))
    return 2;
  double complex *from = malloc(n * sizeof *from), *to = malloc(n * sizeof *to);
  double complex* table = malloc(n * sizeof *table);
  double checksum = 0;
  for (long i = 0; i < n; ++i) {
    from[i] = i % 17;
    table[i] = cexp(-2 * acos(-1) * i / n * I);
  }
  roots = table;
  all = n;
  fft(to, from, n, 1);
  for (long i = 0; i < n; ++i)
    checksum += cabs(to[i]);
  printf("fft %ld\n%.4f\n", n, checksum);
  free(from);
  free(to);
  free(table);
  return 0;
}
