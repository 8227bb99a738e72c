// KIND grain, NAMES worker|main|part|apply: a thread per tiny piece, created and joined in batches.
#include <pthread.h>
#include <stdio.h>

static int v[4096];
#ifdef FIXED
enum { PIECE = 1024, REP = 25 };
#else
enum { PIECE = 64, REP = 1 };
#endif

static void* worker(void* p) {
  int* b = p;
  for (int r = 0; r < REP; r++)
    for (int i = 0; i < PIECE; i++)
      b[i] = b[i] * 3 + 1;
  return p; // CULPRIT
}

int main(void) {
  for (int at = 0; at < 4096; at += 4 * PIECE) {
    pthread_t t[4];
    for (int k = 0; k < 4; k++)
      pthread_create(&t[k], 0, worker, v + at + k * PIECE);
    for (int k = 0; k < 4; k++)
      pthread_join(t[k], 0);
  }
  printf("%d\n", v[5]);
}
