// HEALTHY: recursive tasks with a cut-off.
#include <stdio.h>
static long fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static long par(int n) {
  if (n < 18)
    return fib(n);
  long a, b;
#pragma omp task shared(a)
  a = par(n - 1);
  b = par(n - 2);
#pragma omp taskwait
  return a + b;
}
int main(void) {
  long r;
#pragma omp parallel
#pragma omp single
  r = par(25);
  printf("%ld\n", r);
}
