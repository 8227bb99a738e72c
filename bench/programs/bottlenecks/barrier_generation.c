// KIND barrier, NAMES rank|phase: a hand-written barrier with a generation; each phase is hard for one rank, in turn.
#include <pthread.h>
#include <stdio.h>

enum { P = 4, PHASES = 32 };
static struct {
  pthread_mutex_t m;
  pthread_cond_t c;
  int arrived, generation;
} all = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};

static void meet(void) {
  pthread_mutex_lock(&all.m);
  int g = all.generation;
  if (++all.arrived == P) {
    all.arrived = 0;
    all.generation++;
    pthread_cond_broadcast(&all.c);
  } else
    while (g == all.generation)
      pthread_cond_wait(&all.c, &all.m);
  pthread_mutex_unlock(&all.m);
}

static unsigned out[P];
static unsigned phase(unsigned x, int n) {
  for (int i = 0; i < n; i++)
    x = x * 22695477 + 1;
  return x;
}

static void* rank(void* v) {
  int me = (long)v;
  for (int p = 0; p < PHASES; p++) {
    out[me] = phase(out[me], (p * 7 + me) % P == 0 ? 14000 : 1200);
#ifndef FIXED
    meet(); // CULPRIT
#endif
  }
  return v;
}

int main(void) {
  pthread_t t[P];
  for (long i = 0; i < P; i++)
    pthread_create(&t[i], 0, rank, (void*)i);
  for (int i = 0; i < P; i++)
    pthread_join(t[i], 0);
  printf("%u\n", out[2]);
}
