// Reduces fractions; the common divisor is found by subtraction.
// culprit: gcd, reduce
#include <stdio.h>

static long gcd(long a, long b) {
#ifdef REPAIRED
  while (b) {
    long rest = a % b;
    a = b;
    b = rest;
  }
#else
  while (a != b) { // CULPRIT
    if (a > b)
      a -= b;
    else
      b -= a;
  }
#endif
  return a;
}

struct fraction {
  long up, down;
};

static struct fraction reduce(struct fraction f) {
  long divisor = gcd(f.up, f.down);
  return (struct fraction){f.up / divisor, f.down / divisor};
}

int main(void) {
  long sum = 0;
  for (long n = 10; n <= 20000; n += 13) {
    struct fraction f = reduce((struct fraction){n, 3});
    sum += f.up + f.down;
  }
  printf("%ld\n", sum);
}
