// KIND lock, NAMES pop|queue_lock|worker: workers pop from one queue that is a sorted list, under its lock.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kThreads = 4, kJobs = 600 };

static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static int priorities[kJobs], left = kJobs;
static unsigned done[kThreads];

static int pop(void) {
  pthread_mutex_lock(&queue_lock); // CULPRIT
  int job = -1;
  if (left > 0) {
#ifdef FIXED
    job = priorities[--left];
#else
    int best = 0;
    for (int i = 1; i < left; i++)
      if (priorities[i] > priorities[best])
        best = i;
    job = priorities[best];
    priorities[best] = priorities[--left];
#endif
  }
  pthread_mutex_unlock(&queue_lock);
  return job;
}

static void* worker(void* argument) {
  unsigned x = 1;
  for (int job; (job = pop()) >= 0;)
    for (int i = 0; i < 500; i++)
      x = x * 31 + job + i;
  done[(long)argument] = x;
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  for (int i = 0; i < kJobs; i++)
    priorities[i] = i * 7919 % 1009;
  for (long i = 0; i < kThreads; i++)
    pthread_create(&threads[i], NULL, worker, (void*)i);
  for (int i = 0; i < kThreads; i++)
    pthread_join(threads[i], NULL);
  printf("%u\n", done[0]);
  return 0;
}
