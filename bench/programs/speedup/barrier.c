// Two threads, of which now one and now the other is late at a barrier.
#include "churn.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static long size;
static pthread_barrier_t barrier;
static unsigned ends[2];

static void *work(void *number) {
  const long own = (long)number;
  for (int step = 0; step < 20; step++) {
    ends[own] = churn(ends[own], (step % 2 == own ? 2500 : 500) * size);
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[2];
  size = atol(argv[argc - 1]);
  pthread_barrier_init(&barrier, NULL, 2);
  for (long i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, work, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  printf("%u\n", ends[0] + ends[1]);
}
