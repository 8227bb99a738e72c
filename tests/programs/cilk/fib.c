/* fib N: Fibonacci numbers by their definition. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

static long fib(int n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 20;
  printf("fib %d\n", n);
  printf("%ld\n", fib(n));
  return 0;
}
