// bounded_queue THREADS ITEMS: the main thread produces blocks of numbers, the others (at least one)
// take them out of a small ring, guarded by a mutex and two condition variables, and sort them.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 256, SLOTS = 8 };

typedef struct {
  unsigned numbers[NUMBERS];
} Block;

static Block ring[SLOTS];
static long produced, consumed, items;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;

static __attribute__((noinline)) void make(Block* block, unsigned seed) {
  for (int i = 0; i < NUMBERS; i++)
    block->numbers[i] = seed = seed * 1664525u + 1013904223u;
}

static void put(const Block* block) {
  pthread_mutex_lock(&mutex);
  while (produced - consumed == SLOTS)
    pthread_cond_wait(&not_full, &mutex);
  ring[produced++ % SLOTS] = *block;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&mutex);
}

static int take(Block* block) {
  pthread_mutex_lock(&mutex);
  while (consumed == produced && consumed < items)
    pthread_cond_wait(&not_empty, &mutex);
  const int taken = consumed < items;
  if (taken)
    *block = ring[consumed++ % SLOTS];
  if (consumed == items)
    pthread_cond_broadcast(&not_empty);
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&mutex);
  return taken;
}

static int compare(const void* a, const void* b) {
  const unsigned x = *(const unsigned*)a, y = *(const unsigned*)b;
  return (x > y) - (x < y);
}

static void* consume(void* unused) {
  unsigned long medians = 0;
  Block block;
  (void)unused;
  while (take(&block)) {
    qsort(block.numbers, NUMBERS, sizeof block.numbers[0], compare);
    medians += block.numbers[NUMBERS / 2];
  }
  return (void*)medians;
}

int main(int argc, char** argv) {
  if (argc != 3)
    return 2;
  const long consumers = atol(argv[1]) > 1 ? atol(argv[1]) - 1 : 1;
  items = atol(argv[2]);
  pthread_t id[consumers];
  for (long i = 0; i < consumers; i++)
    pthread_create(&id[i], NULL, consume, NULL);
  Block block;
  for (long i = 0; i < items; i++) {
    make(&block, (unsigned)i);
    put(&block);
  }
  unsigned long medians = 0;
  for (long i = 0; i < consumers; i++) {
    void* part;
    pthread_join(id[i], &part);
    medians += (unsigned long)part;
  }
  printf("%lu\n", medians);
  return 0;
}
