// Counts primes by dividing by all smaller numbers: nothing but registers. Repaired: a sieve.
#include <stdio.h>
#include <stdlib.h>

#ifdef REPAIRED
static int count_primes(int n) {
  char *composite = calloc(n + 1, 1);
  int count = 0;
  for (int i = 2; i <= n; i++) {
    if (composite[i])
      continue;
    count++;
    for (long j = (long)i * i; j <= n; j += i)
      composite[j] = 1;
  }
  free(composite);
  return count;
}
#else
static int is_prime(int n) {
  for (int d = 2; d < n; d++)
    if (n % d == 0)
      return 0;
  return 1;
}

static int count_primes(int n) {
  int count = 0;
  for (int i = 2; i <= n; i++)
    count += is_prime(i);
  return count;
}
#endif

int main(void) {
  printf("%d\n", count_primes(3000));
}
