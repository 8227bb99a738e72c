// Four threads with blocks of items that grow, on two processors.
#include "churn.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static long size;
static unsigned sums[4];

static void *work(void *number) {
  const long own = (long)number;
  for (long i = own * 50; i < (own + 1) * 50; i++)
    sums[own] += churn(i, i * size * 3);
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[4];
  size = atol(argv[argc - 1]);
  for (long i = 0; i < 4; i++)
    pthread_create(&threads[i], NULL, work, (void *)i);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  printf("%u\n", sums[0] + sums[1] + sums[2] + sums[3]);
}
