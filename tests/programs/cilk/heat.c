/* heat N [STEPS]: heat spreads on an N by N plate with a hot edge; all rows of a step in parallel.
 */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

static void step(double* to, const double* from, long n) {
  cilk_for (long i = 1; i < n - 1; ++i)
    for (long j = 1; j < n - 1; ++j) {
      const double* at = from + i * n + j;
      to[i * n + j] = *at + 0.2 * (at[-1] + at[1] + at[-n] + at[n] - 4 * *at);
    }
}

int main(int argc, char** argv) {
  long n = argc > 1 ? atol(argv[1]) : 32, steps = argc > 2 ? atol(argv[2]) : 10;
  double *now = calloc(n * n, sizeof *now), *next = calloc(n * n, sizeof *next), checksum = 0;
  for (long j = 0; j < n; ++j)
    now[j] = next[j] = 100;
  for (long t = 0; t < steps; ++t) {
    step(next, now, n);
    double* swapped = now;
    now = next;
    next = swapped;
  }
  for (long i = 0; i < n * n; ++i)
    checksum += now[i];
  printf("heat %ld\n%.6f\n", n, checksum);
  free(now);
  free(next);
  return 0;
}
