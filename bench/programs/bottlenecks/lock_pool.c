// KIND lock, NAMES pool_mutex|pool_allocate|pool_free: an allocator searches its blocks, under one mutex.
#include <pthread.h>
#include <stdio.h>

enum { kThreads = 4, kBlocks = 1024, kRounds = 300 };

static pthread_mutex_t pool_mutex = PTHREAD_MUTEX_INITIALIZER;
static int taken[kBlocks];
static int hint[kThreads];

static int pool_allocate(int thread) {
  pthread_mutex_lock(&pool_mutex); // CULPRIT
#ifdef FIXED
  int block = thread * (kBlocks / kThreads) + hint[thread]++ % (kBlocks / kThreads);
#else
  int block = 0;
  while (taken[block])
    block++;
#endif
  taken[block] = 1;
  pthread_mutex_unlock(&pool_mutex);
  return block;
}

static void pool_free(int block) {
  pthread_mutex_lock(&pool_mutex);
  taken[block] = 0;
  pthread_mutex_unlock(&pool_mutex);
}

static void *work(void *arg) {
  unsigned x = (unsigned)(long)arg;
  for (int i = 0; i < kRounds; i++) {
    int block = pool_allocate((int)(long)arg);
    for (int k = 0; k < 150; k++)
      x = x * 1664525 + block;
    if (i % 2 || x == 1)
      pool_free(block);
  }
  return NULL;
}

int main(void) {
  for (int i = 0; i < 400; i++)
    taken[i] = 1;
  pthread_t threads[kThreads];
  for (long t = 0; t < kThreads; t++)
    pthread_create(&threads[t], NULL, work, (void *)t);
  for (int t = 0; t < kThreads; t++)
    pthread_join(threads[t], NULL);
  printf("%d\n", taken[500]);
}
