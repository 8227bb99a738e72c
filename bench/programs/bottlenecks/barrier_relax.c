// KIND barrier, NAMES relax: threads meet at a barrier after each sweep, in which another one has most to do.
#include <pthread.h>
#include <stdio.h>

enum { kThreads = 4, kSweeps = 24 };

static pthread_barrier_t barrier;
static unsigned cells[kThreads];

static void spend(unsigned* cell, int rounds) {
  for (int i = 0; i < rounds; i++)
    *cell = *cell * 69069 + i;
}

static void* relax(void* of) {
  const long me = (long)of;
  for (int sweep = 0; sweep < kSweeps; sweep++) {
#ifdef FIXED
    spend(&cells[me], 2250);
#else
    spend(&cells[me], sweep % kThreads == me ? 6000 : 1000);
#endif
    pthread_barrier_wait(&barrier); // CULPRIT
  }
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  pthread_barrier_init(&barrier, NULL, kThreads);
  for (long i = 0; i < kThreads; i++)
    pthread_create(&threads[i], NULL, relax, (void*)i);
  for (int i = 0; i < kThreads; i++)
    pthread_join(threads[i], NULL);
  printf("%u\n", cells[1]);
}
