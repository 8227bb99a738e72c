// Counts primes by dividing by all smaller numbers.
// culprit: is_prime, count_primes
#include <stdio.h>

static int is_prime(int n) {
#ifdef REPAIRED
  for (int d = 2; d * d <= n; d++)
#else
  for (int d = 2; d < n; d++) // CULPRIT
#endif
    if (n % d == 0) return 0;
  return n > 1;
}

static int count_primes(int limit) {
  int found = 0;
  for (int n = 2; n < limit; n++) found += is_prime(n);
  return found;
}

int main(void) {
  int sum = 0;
  for (int limit = 500; limit <= 5000; limit += 500) sum += count_primes(limit);
  printf("%d\n", sum);
}
