// Two threads take batches of growing size and count the distinct numbers of each, with a hash
// table: cost linear in the batch. -DBUG "simplifies" the look-up into a search through all slots,
// which nobody notices with small batches; -DHARMLESS is a change that costs nothing to speak of.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kBatches = 40, kStep = 40, kThreads = 2 };

typedef struct {
  unsigned* slots; // 0: free
  size_t count, size;
} Set;

static unsigned* batch_of[kBatches];
static int next_batch;
static unsigned long all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static size_t length_of(int batch) { return (size_t)(batch + 1) * kStep; }

__attribute__((noinline)) size_t find_slot(const Set* set, unsigned number) {
#ifdef BUG
  size_t slot = 0;
  while (slot < set->count && set->slots[slot] != number)
    slot++;
#else
  size_t slot = number * 2654435761u % set->size;
  while (set->slots[slot] != 0 && set->slots[slot] != number)
    slot = (slot + 1) % set->size;
#endif
  return slot;
}

__attribute__((noinline)) size_t count_distinct(const unsigned* numbers, size_t length,
                                                unsigned* slots) {
  Set set = {slots, 0, 2 * length};
  memset(slots, 0, set.size * sizeof *slots);
  for (size_t i = 0; i < length; i++) {
    const size_t slot = find_slot(&set, numbers[i]);
    if (set.slots[slot] == 0) {
      set.slots[slot] = numbers[i];
      set.count++;
    }
  }
#ifdef HARMLESS
  if (set.count > length)
    fputs("more than there are\n", stderr);
#endif
  return set.count;
}

__attribute__((noinline)) unsigned checksum(const unsigned* numbers, size_t length) {
  unsigned sum = 0;
  for (size_t i = 0; i < length; i++)
    sum = sum * 31 + numbers[i];
  return sum;
}

static void* work(void* unused) {
  unsigned slots[2 * kBatches * kStep];
  for (;;) {
    pthread_mutex_lock(&lock);
    const int batch = next_batch < kBatches ? next_batch++ : -1;
    pthread_mutex_unlock(&lock);
    if (batch < 0)
      return unused;
    const size_t found = count_distinct(batch_of[batch], length_of(batch), slots);
    const unsigned sum = checksum(batch_of[batch], length_of(batch));
    pthread_mutex_lock(&lock);
    all += found + sum;
    pthread_mutex_unlock(&lock);
  }
}

int main(void) {
  pthread_t threads[kThreads];
  unsigned number = 1;
  for (int batch = 0; batch < kBatches; batch++) {
    batch_of[batch] = malloc(length_of(batch) * sizeof *batch_of[batch]);
    for (size_t i = 0; i < length_of(batch); i++) {
      number = number * 1664525u + 1013904223u;
      batch_of[batch][i] = (number >> 8) + 1;
    }
  }
  for (int i = 0; i < kThreads; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < kThreads; i++)
    pthread_join(threads[i], NULL);
  printf("%lu\n", all);
  return 0;
}
