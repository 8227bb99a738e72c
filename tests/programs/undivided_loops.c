// Loops in parallel regions that threads do not divide, beside loops that they do.
#include <stdio.h>

enum { CELLS = 1000 };
static double cells[CELLS];

__attribute__((noinline)) static double steps(double x, int count) {
  for (int i = 0; i < count; i++)
    x = x * 0.5 + i;
  return x;
}

__attribute__((noinline)) static void with_single(void) {
#pragma omp parallel num_threads(4)
  {
#pragma omp for schedule(static)
    for (int i = 0; i < CELLS; i++)
      cells[i] += steps(i, 20);
#pragma omp single
    for (int i = 0; i < 300; i++)
      cells[i] += steps(i, 200);
#pragma omp for schedule(static)
    for (int i = 0; i < CELLS / 2; i++)
      cells[i] += steps(i, 20);
  }
}

__attribute__((noinline)) static double with_reduction(void) {
  double sum = 0;
#pragma omp parallel for schedule(static) num_threads(4) reduction(+ : sum)
  for (int i = 0; i < CELLS; i++)
    sum += steps(cells[i], 20);
  return sum;
}

__attribute__((noinline)) static void sometimes(int k) {
#pragma omp parallel for schedule(static) num_threads(4) if (k % 2)
  for (int i = 0; i < CELLS; i++)
    cells[i] = cells[i] / 3.0 + k;
}

__attribute__((noinline)) static void measured(void) { sometimes(1); }

int main(void) {
  for (int k = 0; k < 9; k++)
    sometimes(k); // creates the threads in a loop
  with_single();
  double sum = with_reduction();
  measured();
  printf("%g\n", sum + cells[5]);
}
