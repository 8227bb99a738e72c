// Four threads, of which another one has most to do before each barrier; FIXED: they do not wait.
#include <pthread.h>
#include <stdio.h>

enum { kThreads = 4, kPhases = 40 };

static pthread_barrier_t barrier;
static unsigned results[kThreads];

static unsigned __attribute__((noinline)) churn(unsigned x, int rounds) {
  for (int i = 0; i < rounds; i++)
    x = x * 1664525 + 1013904223;
  return x;
}

static void *simulate(void *number) {
  const int own = (int)(long)number;
  unsigned x = own;
  for (int phase = 0; phase < kPhases; phase++) {
    x = churn(x, phase % kThreads == own ? 20000 : 2000);
#ifndef FIXED
    pthread_barrier_wait(&barrier);
#endif
  }
  results[own] = x;
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  pthread_barrier_init(&barrier, NULL, kThreads);
  for (long i = 0; i < kThreads; i++)
    pthread_create(&threads[i], NULL, simulate, (void *)i);
  for (int i = 0; i < kThreads; i++)
    pthread_join(threads[i], NULL);
  printf("%u\n", results[0]);
}
