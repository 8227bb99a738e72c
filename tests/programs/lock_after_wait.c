// A queue of one item. pop computes under its lock after it has waited; push hardly holds it.
#include <pthread.h>
#include <sched.h>

enum { kItems = 5, kWork = 200000 };

static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int is_full, waits;
static volatile unsigned sum;

__attribute__((noinline)) static void pop(void) {
  pthread_mutex_lock(&queue_lock);
  while (!is_full) {
    waits++;
    pthread_cond_wait(&changed, &queue_lock);
  }
  for (int i = 0; i < kWork; i++)
    sum += i;
  is_full = 0;
  pthread_mutex_unlock(&queue_lock);
}

// Only once pop waits.
__attribute__((noinline)) static int push(int before) {
  pthread_mutex_lock(&queue_lock);
  int is_pushed = waits > before && !is_full;
  if (is_pushed) {
    is_full = 1;
    pthread_cond_signal(&changed);
  }
  pthread_mutex_unlock(&queue_lock);
  return is_pushed;
}

static void *consume(void *unused) {
  for (int i = 0; i < kItems; i++)
    pop();
  return unused;
}

int main(void) {
  pthread_t consumer;
  pthread_create(&consumer, 0, consume, 0);
  for (int i = 0; i < kItems; i++)
    while (!push(i))
      sched_yield();
  pthread_join(consumer, 0);
  return 0;
}
