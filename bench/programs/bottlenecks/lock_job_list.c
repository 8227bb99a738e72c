// KIND lock, NAMES next_job|jobs_lock|work: workers take jobs from a list, and search it for the next one under its lock.
#include <pthread.h>
#include <stdio.h>

enum { kJobs = 1000, kThreads = 4 };

static pthread_mutex_t jobs_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned char is_done[kJobs];
static unsigned results[kJobs];
#ifdef FIXED
static int first;
#endif

static int next_job(void) {
  pthread_mutex_lock(&jobs_lock); // CULPRIT
  int job = -1;
#ifdef FIXED
  if (first < kJobs)
    job = first++;
#else
  for (int i = 0; i < kJobs; i++)
    if (!is_done[i]) {
      if (job < 0)
        job = i;
    }
#endif
  if (job >= 0)
    is_done[job] = 1;
  pthread_mutex_unlock(&jobs_lock);
  return job;
}

static void* work(void* unused) {
  for (int job; (job = next_job()) >= 0;)
    for (int i = 0; i < 1000; i++)
      results[job] = results[job] * 31 + i;
  return unused;
}

int main(void) {
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < kThreads; i++)
    pthread_join(threads[i], NULL);
  printf("%u\n", results[9]);
}
