// Counts pairs of numbers below n: their size is in registers, not in memory. Repaired: n of them.
#include <stdio.h>

static long pairs(int n) {
  long count = 0;
  for (int i = 1; i < n; i++)
#ifdef REPAIRED
    count += (i ^ n) % 7 == 0;
#else
    for (int j = 1; j < n; j++)
      count += (i ^ j) % 7 == 0;
#endif
  return count;
}

int main(void) {
  long count = 0;
  for (int n = 20; n <= 400; n += 20)
    count += pairs(n);
  printf("%ld\n", count);
}
