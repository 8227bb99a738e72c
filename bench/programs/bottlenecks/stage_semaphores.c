// KIND pipeline, NAMES decode: stages with rings and semaphores; the first of three has most to do.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

enum { kFrames = 48, kRoom = 4 };

typedef struct {
  sem_t filled, room;
  unsigned slots[kRoom];
  int in, out;
} Ring;

static Ring decoded, filtered;

static void put(Ring *ring, unsigned frame) {
  sem_wait(&ring->room);
  ring->slots[ring->in++ % kRoom] = frame;
  sem_post(&ring->filled);
}

static unsigned get(Ring *ring) {
  sem_wait(&ring->filled);
  unsigned frame = ring->slots[ring->out++ % kRoom];
  sem_post(&ring->room);
  return frame;
}

static unsigned transform(unsigned x, int n) {
  for (int i = 0; i < n; i++)
    x ^= x << 13, x ^= x >> 17, x ^= x << 5;
  return x;
}

static void *decode(void *arg) {
  for (int f = 0; f < kFrames; f++) {
#ifdef FIXED
    put(&decoded, transform(f + 1, 3000));
#else
    put(&decoded, transform(f + 1, 21000)); // CULPRIT
#endif
  }
  return arg;
}

static void *filter(void *arg) {
  for (int f = 0; f < kFrames; f++)
    put(&filtered, transform(get(&decoded), 3000));
  return arg;
}

static void *show(void *arg) {
  unsigned sum = 0;
  for (int f = 0; f < kFrames; f++)
    sum += transform(get(&filtered), 2500);
  printf("%u\n", sum);
  return arg;
}

int main(void) {
  Ring *rings[2] = {&decoded, &filtered};
  for (int i = 0; i < 2; i++) {
    sem_init(&rings[i]->filled, 0, 0);
    sem_init(&rings[i]->room, 0, kRoom);
  }
  void *(*stages[3])(void *) = {decode, filter, show};
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, stages[i], NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
}
