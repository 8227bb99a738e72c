// KIND serial, NAMES prepare: everything calls spin(): workers, a short merge, and prepare(), which runs alone in each round.
#include <pthread.h>
#include <stdio.h>

static unsigned long sink[8];
static __attribute__((noinline)) unsigned long spin(int n) {
  unsigned long x = n;
  for (int i = 0; i < n; i++)
    x = x * 6364136223846793005ul + 1;
  return x;
}

static void* worker(void* v) {
  long id = (long)v;
  sink[id] += spin(20000);
  sink[id] ^= spin(20000);
  return v;
}

static __attribute__((noinline)) void prepare(int round) {
#ifdef FIXED
  sink[7] += spin(300);
#else
  for (int k = 0; k < 5; k++)
    sink[7] += spin(8000 + round); // CULPRIT
#endif
}

static __attribute__((noinline)) void merge(void) {
  for (int i = 0; i < 4; i++)
    sink[6] += spin(100) ^ sink[i];
}

int main(void) {
  for (int round = 0; round < 4; round++) {
    pthread_t t[4];
    prepare(round);
    for (long i = 0; i < 4; i++)
      pthread_create(&t[i], 0, worker, (void*)i);
    for (int i = 0; i < 4; i++)
      pthread_join(t[i], 0);
    merge();
  }
  printf("%lu\n", sink[6] + sink[7]);
}
