// KIND lock, NAMES heap_lock|push_event: events are put into one heap, under a pthread spin lock.
#include <pthread.h>
#include <stdio.h>

enum { kThreads = 4, kEvents = 700 };

struct Heap {
  unsigned times[kThreads * kEvents + 1];
  int count;
};

static struct Heap heaps[kThreads];
static pthread_spinlock_t heap_lock;

static void push_event(struct Heap* heap, unsigned time) {
  int at = ++heap->count;
  for (; at > 1 && heap->times[at / 2] > time; at /= 2)
    heap->times[at] = heap->times[at / 2];
  heap->times[at] = time;
}

static void* simulate(void* arg) {
  long me = (long)arg;
  unsigned x = me + 1;
  for (unsigned i = 0; i < kEvents; i++) {
    for (int k = 0; k < 10; k++)
      x = x * 1664525 + 1013904223;
#ifdef FIXED
    push_event(&heaps[me], 4000000000u - i * 8 - x % 8);
#else
    pthread_spin_lock(&heap_lock);
    push_event(&heaps[0], 4000000000u - i * 8 - x % 8); // CULPRIT
    pthread_spin_unlock(&heap_lock);
#endif
  }
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  pthread_spin_init(&heap_lock, PTHREAD_PROCESS_PRIVATE);
  for (long t = 0; t < kThreads; t++)
    pthread_create(&threads[t], NULL, simulate, (void*)t);
  for (int t = 0; t < kThreads; t++)
    pthread_join(threads[t], NULL);
  printf("%u\n", heaps[0].times[1]);
}
