// A pipeline of three threads, whose second stage takes eight times as long; FIXED: as long as the others.
#include <pthread.h>
#include <stdio.h>

enum { kItems = 60, kRoom = 4 };

typedef struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  unsigned items[kRoom], first, count;
} Queue;

static Queue queues[2] = {{PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, {0}, 0, 0},
                          {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, {0}, 0, 0}};

static void put(Queue *queue, unsigned item) {
  pthread_mutex_lock(&queue->lock);
  while (queue->count == kRoom)
    pthread_cond_wait(&queue->changed, &queue->lock);
  queue->items[(queue->first + queue->count++) % kRoom] = item;
  pthread_cond_broadcast(&queue->changed);
  pthread_mutex_unlock(&queue->lock);
}

static unsigned take(Queue *queue) {
  pthread_mutex_lock(&queue->lock);
  while (queue->count == 0)
    pthread_cond_wait(&queue->changed, &queue->lock);
  const unsigned item = queue->items[queue->first];
  queue->first = (queue->first + 1) % kRoom;
  queue->count--;
  pthread_cond_broadcast(&queue->changed);
  pthread_mutex_unlock(&queue->lock);
  return item;
}

static unsigned __attribute__((noinline)) churn(unsigned x, int rounds) {
  for (int i = 0; i < rounds; i++)
    x = x * 1664525 + 1013904223;
  return x;
}

static void *produce(void *arg) {
  for (unsigned i = 0; i < kItems; i++)
    put(&queues[0], churn(i, 4000));
  return arg;
}

static void *transform(void *arg) {
#ifdef FIXED
  enum { kRounds = 4000 };
#else
  enum { kRounds = 32000 };
#endif
  for (unsigned i = 0; i < kItems; i++)
    put(&queues[1], churn(take(&queues[0]), kRounds));
  return arg;
}

static void *consume(void *arg) {
  unsigned sum = 0;
  for (unsigned i = 0; i < kItems; i++)
    sum += churn(take(&queues[1]), 4000);
  printf("%u\n", sum);
  return arg;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, produce, NULL);
  pthread_create(&threads[1], NULL, transform, NULL);
  pthread_create(&threads[2], NULL, consume, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
}
