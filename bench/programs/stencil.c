// stencil THREADS SIDE STEPS: heat in a square plate, five-point stencil, OpenMP loops over rows.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static __attribute__((noinline)) void row(double* to, const double* from, long side) {
  for (long x = 1; x < side - 1; x++)
    to[x] = 0.5 * from[x] + 0.125 * (from[x - 1] + from[x + 1] + from[x - side] + from[x + side]);
}

int main(int argc, char** argv) {
  if (argc != 4)
    return 2;
  omp_set_num_threads(atoi(argv[1]));
  const long side = atol(argv[2]), steps = atol(argv[3]);
  double* now = calloc((size_t)(side * side), sizeof *now);
  double* next = calloc((size_t)(side * side), sizeof *next);
  for (long x = 0; x < side; x++)
    now[x] = next[x] = 100;
  for (long step = 0; step < steps; step++) {
#pragma omp parallel for schedule(static)
    for (long y = 1; y < side - 1; y++)
      row(next + y * side, now + y * side, side);
    double* swapped = now;
    now = next;
    next = swapped;
  }
  double total = 0;
  for (long i = 0; i < side * side; i++)
    total += now[i];
  printf("%.6f\n", total);
  free(now);
  free(next);
  return 0;
}
