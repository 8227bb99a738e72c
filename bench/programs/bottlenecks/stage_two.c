// KIND pipeline, NAMES consume: a producer and a consumer that takes four times as long.
#include <pthread.h>
#include <stdio.h>

enum { kItems = 80, kRoom = 10 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items[kRoom], count;

static int hash(int x, int rounds) {
  unsigned h = x;
  while (rounds--)
    h = h * 16777619 ^ rounds;
  return h;
}

static void *produce(void *arg) {
  for (int i = 0; i < kItems; i++) {
    const int item = hash(i, 4000);
    pthread_mutex_lock(&mutex);
    while (count == kRoom)
      pthread_cond_wait(&changed, &mutex);
    items[count++] = item;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
  }
  return arg;
}

static void *consume(void *arg) {
  int sum = 0;
  for (int i = 0; i < kItems; i++) {
    pthread_mutex_lock(&mutex);
    while (!count)
      pthread_cond_wait(&changed, &mutex);
    const int item = items[--count];
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
#ifdef FIXED
    sum += hash(item, 4000);
#else
    sum += hash(item, 16000); // CULPRIT
#endif
  }
  printf("%d\n", sum);
  return arg;
}

int main(void) {
  pthread_t producer, consumer;
  pthread_create(&producer, NULL, produce, NULL);
  pthread_create(&consumer, NULL, consume, NULL);
  pthread_join(producer, NULL);
  pthread_join(consumer, NULL);
}
