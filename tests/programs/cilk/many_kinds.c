/* many_kinds N: two rounds of N iterations that call nothing. Eight take the same time each, so
   there are more kinds than are remembered. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  long n = argc > 1 ? atol(argv[1]) : 3000;
  for (int round = 0; round < 2; round++) {
    cilk_for (long i = 0; i < n; i++) {
      long left = i / 8 + 1;
      __asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(left) : : "cc");
    }
    printf("round %d: %ld iterations\n", round, n);
  }
  return 0;
}
