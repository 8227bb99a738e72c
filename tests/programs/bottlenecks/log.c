// Two threads that do different things, and write to one log: the first has most to do.
#include <pthread.h>

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static int lines;
static unsigned results[2];

static void write_line(void) {
  pthread_mutex_lock(&log_lock);
  lines++;
  pthread_mutex_unlock(&log_lock);
}

static unsigned mix(unsigned x, int rounds) {
  for (int i = 0; i < rounds; i++)
    x = (x ^ i) * 16777619u;
  return x;
}

static void *index_files(void *unused) {
  for (int i = 0; i < 20; i++) {
    results[0] ^= mix(i, 40000);
    write_line();
  }
  return unused;
}

static void *build_thumbnails(void *unused) {
  for (int i = 0; i < 20; i++) {
    results[1] ^= mix(i, 15000);
    write_line();
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, index_files, NULL);
  pthread_create(&threads[1], NULL, build_thumbnails, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return lines != 40 || results[0] == results[1];
}
