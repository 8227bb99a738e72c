/* alike_loops N: parallel loops whose iterations do the same: longer ones first and last, within
   each other, with spawns, left early, empty, and in a routine that is pending already. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

static volatile long sum;

__attribute__((noinline)) static long leaf(long n) { return sum + n; }
__attribute__((noinline)) static long busy(long n) {
  long result = 0;
  for (long i = 0; i < n; i++)
    result += leaf(i);
  return result;
}

__attribute__((noinline)) static void uneven(long n) {
  cilk_for (long i = 0; i < n; i++)
    sum += busy(i % 7 == 3 ? 9 : i % 3) + busy(i == n - 1 ? 12 : 1);
}

__attribute__((noinline)) static void nested(long n) {
  cilk_for (long i = 0; i < n; i++) {
    sum += leaf(i);
    cilk_for (long k = 0; k < 5; k++)
      sum += busy(k % 2);
    sum += busy(i % 2);
  }
}

__attribute__((noinline)) static void spawning(long n) {
  cilk_for (long i = 0; i < n; i++) {
    long a = cilk_spawn busy(i % 4);
    long b = cilk_spawn busy(2);
    sum += busy(3);
    if (i % 2) {
      cilk_sync;
    }
    sum += a + b + leaf(i);
    cilk_spawn busy(1);
  }
}

__attribute__((noinline)) static void left_early(long n) {
  cilk_for (long i = 0; i < n; i++) {
    if (i == n / 2)
      break;
    if (i % 2)
      continue;
    sum += busy(2);
  }
  cilk_for (long i = 0; i < n; i++) {
  }
}

__attribute__((noinline)) static void recursive(long n) {
  if (n == 0)
    return;
  cilk_for (long i = 0; i < 3; i++) {
    recursive(n - 1);
    sum += busy(n % 2);
  }
}

int main(int argc, char** argv) {
  long n = argc > 1 ? atol(argv[1]) : 20;
  for (int round = 0; round < 8; round++) {
    uneven(n);
    nested(n);
    cilk_spawn spawning(n);
    left_early(n);
    cilk_sync;
    recursive(4);
  }
  printf("alike_loops %ld\n%ld\n", n, sum);
  return 0;
}
