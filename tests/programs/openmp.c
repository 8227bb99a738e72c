// Threads of the OpenMP runtime: each sums its share of an array that the main thread wrote.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline, noipa)) long sum_share(const int* a, int from, int to) {
  long total = 0;
  for (int i = from; i < to; i++)
    total += a[i];
  return total;
}

int main(void) {
  enum { kCells = 4000 };
  int* a = malloc(kCells * sizeof *a);
  for (int i = 0; i < kCells; i++)
    a[i] = i;
  long total = 0;
#pragma omp parallel num_threads(4) reduction(+ : total)
  {
    const int share = kCells / omp_get_num_threads();
    const int from = omp_get_thread_num() * share;
    total += sum_share(a, from, from + share);
  }
  printf("%ld\n", total);
  return 0;
}
