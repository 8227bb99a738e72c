// KIND lock, NAMES pages_lock|touch_page: two locks, of which the one for pages is held four times as long.
#include <pthread.h>
#include <stdio.h>

enum { kThreads = 4, kRequests = 300 };

static pthread_mutex_t pages_lock = PTHREAD_MUTEX_INITIALIZER, log_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned pages[512], log_sum;

static unsigned work_on(unsigned x, int rounds) {
  for (int i = 0; i < rounds; i++)
    x = x * 1103515245 + 12345;
  return x;
}

static void touch_page(unsigned request) {
#ifdef FIXED
  const unsigned value = work_on(request, 1200);
  pthread_mutex_lock(&pages_lock);
#else
  pthread_mutex_lock(&pages_lock); // CULPRIT
  const unsigned value = work_on(request, 1200);
#endif
  pages[request % 512] = value;
  pthread_mutex_unlock(&pages_lock);
}

static void log_request(unsigned request) {
#ifdef FIXED
  const unsigned value = work_on(request, 300);
  pthread_mutex_lock(&log_lock);
#else
  pthread_mutex_lock(&log_lock);
  const unsigned value = work_on(request, 300);
#endif
  log_sum += value;
  pthread_mutex_unlock(&log_lock);
}

static void *serve(void *arg) {
  for (unsigned i = 0; i < kRequests; i++) {
    const unsigned request = work_on(i + (unsigned)(long)arg, 500);
    touch_page(request);
    log_request(request);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  for (long t = 0; t < kThreads; t++)
    pthread_create(&threads[t], NULL, serve, (void *)t);
  for (int t = 0; t < kThreads; t++)
    pthread_join(threads[t], NULL);
  printf("%u %u\n", pages[1], log_sum);
}
