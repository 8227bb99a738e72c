// HEALTHY: uneven rows with a dynamic schedule and a log under a mutex.
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static double best;
int main(void) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < 400; i++) {
    double s = 0;
    for (int j = 0; j < i * 40; j++)
      s += 1.0 / (j + 1);
    pthread_mutex_lock(&m);
    if (s > best)
      best = s;
    pthread_mutex_unlock(&m);
  }
  printf("%g\n", best);
}
