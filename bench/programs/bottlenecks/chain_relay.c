// KIND chain, NAMES runner|leg: a relay: each thread waits for the semaphore that the one before posts when it is done.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

enum { RUNNERS = 16 };
static sem_t baton[RUNNERS + 1];
static unsigned result[RUNNERS];
static void leg(int n) {
  unsigned x = n;
  for (int i = 0; i < 9000; i++)
    x = (x ^ i) * 16777619;
  result[n] = x;
}

static void* runner(void* v) {
  int n = (long)v;
#ifndef FIXED
  sem_wait(&baton[n]);
#endif
  leg(n); // CULPRIT
  sem_post(&baton[n + 1]);
  return v;
}

int main(void) {
  pthread_t t[RUNNERS];
  for (int i = 0; i <= RUNNERS; i++)
    sem_init(&baton[i], 0, i == 0);
  for (long i = 0; i < RUNNERS; i++)
    pthread_create(&t[i], 0, runner, (void*)i);
  for (int i = 0; i < RUNNERS; i++)
    pthread_join(t[i], 0);
  printf("%u\n", result[3]);
}
