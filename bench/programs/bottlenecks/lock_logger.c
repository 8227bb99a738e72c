// KIND lock, NAMES log_mutex|log_line: lines are formatted while the log is locked.
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { kThreads = 4, kLines = 250 };

static pthread_mutex_t log_mutex = PTHREAD_MUTEX_INITIALIZER;
static char buffer[1 << 20];
static size_t used;

static void log_line(const char *format, ...) {
  va_list args;
  va_start(args, format);
#ifdef FIXED
  char line[256];
  const int length = vsnprintf(line, sizeof line, format, args);
  pthread_mutex_lock(&log_mutex);
  memcpy(buffer + used, line, length);
  used += length;
#else
  pthread_mutex_lock(&log_mutex); // CULPRIT
  used += vsnprintf(buffer + used, sizeof buffer - used, format, args);
#endif
  pthread_mutex_unlock(&log_mutex);
  va_end(args);
}

static void *serve(void *arg) {
  unsigned x = (unsigned)(long)arg;
  for (int i = 0; i < kLines; i++) {
    for (int k = 0; k < 100; k++)
      x = x * 1664525 + 1013904223;
    log_line("%s %d: request %08x took %.3f ms, %lu bytes\n", "worker", (int)(long)arg, x, x * 1e-6, (unsigned long)x * 3);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  for (long t = 0; t < kThreads; t++)
    pthread_create(&threads[t], NULL, serve, (void *)t);
  for (int t = 0; t < kThreads; t++)
    pthread_join(threads[t], NULL);
  printf("%zu\n", used);
}
