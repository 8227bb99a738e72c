// KIND imbalance, NAMES count_primes: a block of numbers for each thread; larger ones take longer.
#include <pthread.h>
#include <stdio.h>

enum { kThreads = 4, kLimit = 40000 };

typedef struct {
  int first, last, step, found;
} Range;

static int is_prime(int n) {
  for (int d = 2; d * d <= n; d++)
    if (n % d == 0)
      return 0;
  return n > 1;
}

static void *count_primes(void *arg) {
  Range *range = arg;
  for (int n = range->first; n < range->last; n += range->step) // CULPRIT
    range->found += is_prime(n);
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  Range ranges[kThreads];
  for (int t = 0; t < kThreads; t++) {
#ifdef FIXED
    ranges[t] = (Range){2 * t + 1, kLimit, 2 * kThreads, 0};
#else
    ranges[t] = (Range){t * kLimit / kThreads + 1, (t + 1) * kLimit / kThreads, 2, 0};
#endif
    pthread_create(&threads[t], NULL, count_primes, &ranges[t]);
  }
  int found = 0;
  for (int t = 0; t < kThreads; t++) {
    pthread_join(threads[t], NULL);
    found += ranges[t].found;
  }
  printf("%d\n", found);
}
