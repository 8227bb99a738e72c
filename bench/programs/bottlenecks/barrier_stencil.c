// KIND barrier, NAMES relax_rows|worker: strips of a grid, a pthread barrier after each sweep, hard rows here and there.
#include <pthread.h>
#include <stdio.h>

enum { kThreads = 4, kSweeps = 40, kRows = 16 };

static pthread_barrier_t sweep_done;
static double rows[kRows];

static double relax(double x, int iterations) {
  while (iterations--)
    x = 0.5 * (x + 2 / (x + 1));
  return x;
}

static void *worker(void *arg) {
  const int first = (int)(long)arg * kRows / kThreads, last = first + kRows / kThreads;
  for (int sweep = 0; sweep < kSweeps; sweep++) {
    for (int row = first; row < last; row++)
      rows[row] = relax(rows[row], (sweep * 5 + row * 7) % kRows < 2 ? 5000 : 300);
#ifndef FIXED
    pthread_barrier_wait(&sweep_done); // CULPRIT
#endif
  }
  return NULL;
}

int main(void) {
  pthread_t threads[kThreads];
  pthread_barrier_init(&sweep_done, NULL, kThreads);
  for (long t = 0; t < kThreads; t++)
    pthread_create(&threads[t], NULL, worker, (void *)t);
  for (int t = 0; t < kThreads; t++)
    pthread_join(threads[t], NULL);
  printf("%g\n", rows[3]);
}
