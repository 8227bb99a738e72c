// KIND barrier, NAMES simulate|relax|phase: threads meet at a pthread barrier twice in each step; a different one is late each time.
#include <pthread.h>
#include <stdio.h>

enum { kThreads = 4, kSteps = 16, kCells = 400 };

static pthread_barrier_t barrier;
static float grid[kThreads][kCells];

static void relax(float* cells, int rounds) {
  for (int r = 0; r < rounds; r++)
    for (int i = 1; i < kCells; i++)
      cells[i] = 0.5f * (cells[i] + cells[i - 1]);
}

static void meet(void) {
#ifndef FIXED
  pthread_barrier_wait(&barrier); // CULPRIT
#endif
}

static void* simulate(void* argument) {
  const int me = (int)(long)argument;
  for (int s = 0; s < kSteps; s++) {
    relax(grid[me], (s + me) % kThreads == 0 ? 9 : 1);
    meet();
    relax(grid[me], (s * 3 + me) % kThreads == 1 ? 9 : 1);
    meet();
  }
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  pthread_barrier_init(&barrier, NULL, kThreads);
  for (long i = 0; i < kThreads; i++)
    pthread_create(&threads[i], NULL, simulate, (void*)i);
  for (int i = 0; i < kThreads; i++)
    pthread_join(threads[i], NULL);
  printf("%f\n", grid[1][5]);
  return 0;
}
