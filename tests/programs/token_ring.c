// 16 threads that take turns strictly: each adds its part to an array that the previous one left.
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>

enum { kThreads = 16, kRounds = 5, kNumbers = 300 };

static sem_t turn[kThreads];
static long numbers[kNumbers];

static __attribute__((noinline)) void add_part(long part) {
  for (int i = 0; i < kNumbers; i += part % 7 + 1)
    numbers[i] += part;
}

static void* member(void* argument) {
  const long me = (intptr_t)argument;
  for (int round = 0; round < kRounds; round++) {
    sem_wait(&turn[me]);
    add_part(me);
    sem_post(&turn[(me + 1) % kThreads]);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++)
    sem_init(&turn[i], 0, 0);
  for (intptr_t i = 0; i < kThreads; i++)
    pthread_create(&threads[i], NULL, member, (void*)i);
  sem_post(&turn[0]);
  for (int i = 0; i < kThreads; i++)
    pthread_join(threads[i], NULL);
  printf("%ld\n", numbers[0]);
  return 0;
}
