// touch MEGABYTES THREADS CALLS: that many threads, alive to the end, store into all of the memory
// between them; then the main thread calls a routine that many times, which lets time pass.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char* memory;
static size_t bytes_each;
static pthread_barrier_t touched, over;
static volatile long sink;

static void* touch(void* part) {
  memset(memory + (size_t)part * bytes_each, 1, bytes_each);
  pthread_barrier_wait(&touched);
  pthread_barrier_wait(&over);
  return NULL;
}

static __attribute__((noinline)) void tick(long i) { sink = i; }

int main(int argc, char** argv) {
  if (argc != 4)
    return 2;
  const size_t threads = strtoul(argv[2], NULL, 10);
  const long calls = strtol(argv[3], NULL, 10);
  bytes_each = (strtoul(argv[1], NULL, 10) << 20) / threads;
  memory = malloc(bytes_each * threads);
  pthread_barrier_init(&touched, NULL, (unsigned)threads + 1);
  pthread_barrier_init(&over, NULL, (unsigned)threads + 1);
  pthread_t id[threads];
  for (size_t i = 0; i < threads; i++)
    pthread_create(&id[i], NULL, touch, (void*)i);
  pthread_barrier_wait(&touched);
  for (long i = 0; i < calls; i++)
    tick(i);
  pthread_barrier_wait(&over);
  for (size_t i = 0; i < threads; i++)
    pthread_join(id[i], NULL);
  return 0;
}
