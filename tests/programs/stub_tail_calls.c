// Tail calls of a library's routine that jump to a linkage stub: always, if a condition holds,
// through a pointer, one after the other. The library makes some itself.
#include <stdio.h>

#define NOINLINE __attribute__((noinline, noclone))

long last(long n);
long library(long n);
long pick(long n);

#ifdef LIBRARY
long last(long n) { return n + 1; }
long library(long n) { return last(n); }
long pick(long n) {
  if (n % 3 == 0)
    return last(n);
  return n % 3 == 1 ? library(n) : n;
}
#else
NOINLINE static long always(long n) { return library(n); }
NOINLINE static long through(long (*routine)(long), long n) { return routine(n); }
NOINLINE static long sometimes(long n) {
  __asm__ goto("test $1, %b0\n\tjnz last@PLT" ::"D"(n) : "cc", "rax" : out);
out:
  return n;
}

int main(void) {
  long sum = 0;
  for (volatile long i = 0; i < 12; i++) {
    sum += always(i);
    sum += through(i < 4 ? library : i < 8 ? always : pick, i);
    sum += sometimes(i);
  }
  printf("%ld\n", sum);
}
#endif
