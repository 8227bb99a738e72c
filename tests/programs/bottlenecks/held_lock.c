// Threads compute under a lock that guards a histogram; FIXED: they compute before they take it.
#include <pthread.h>
#include <stdio.h>

enum { kThreads = 4, kValues = 300 };

static pthread_mutex_t histogram_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned histogram[64];

static unsigned __attribute__((noinline)) digest(unsigned x) {
  for (int i = 0; i < 2000; i++)
    x = x * 1664525 + 1013904223;
  return x >> 26;
}

static void __attribute__((noinline)) count(unsigned x) {
#ifdef FIXED
  const unsigned at = digest(x);
  pthread_mutex_lock(&histogram_lock);
  histogram[at]++;
#else
  pthread_mutex_lock(&histogram_lock);
  histogram[digest(x)]++;
#endif
  pthread_mutex_unlock(&histogram_lock);
}

static void *work(void *number) {
  for (unsigned i = 0; i < kValues; i++)
    count(i + 1000 * (unsigned)(long)number);
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  for (long i = 0; i < kThreads; i++)
    pthread_create(&threads[i], NULL, work, (void *)i);
  for (int i = 0; i < kThreads; i++)
    pthread_join(threads[i], NULL);
  printf("%u\n", histogram[0]);
}
