// KIND chain|pipeline|barrier|serial, NAMES play|turn: threads take turns by semaphores; one works at a time.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

enum { kThreads = 4, kRounds = 20 };

static sem_t turns[kThreads];
static unsigned long value = 1;

static void *play(void *arg) {
  const long own = (long)arg;
  unsigned long mine = own;
  for (int round = 0; round < kRounds; round++) {
#ifndef FIXED
    sem_wait(&turns[own]);
#endif
    for (int i = 0; i < 6000; i++) // CULPRIT
      mine = mine * 6364136223846793005ul + 1442695040888963407ul;
#ifndef FIXED
    value += mine;
    sem_post(&turns[(own + 1) % kThreads]);
#endif
  }
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  for (int t = 0; t < kThreads; t++)
    sem_init(&turns[t], 0, t == 0);
  for (long t = 0; t < kThreads; t++)
    pthread_create(&threads[t], NULL, play, (void *)t);
  for (int t = 0; t < kThreads; t++)
    pthread_join(threads[t], NULL);
  printf("%lu\n", value);
}
