// Two threads that spend two thirds of their time under one lock.
#include "churn.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static long size;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned sum;

static void *work(void *number) {
  unsigned x = (unsigned)(long)number;
  for (int i = 0; i < 40; i++) {
    x = churn(x, 250 * size);
    pthread_mutex_lock(&mutex);
    sum = churn(sum + x, 500 * size);
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t threads[2];
  size = atol(argv[argc - 1]);
  for (long i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, work, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  printf("%u\n", sum);
}
