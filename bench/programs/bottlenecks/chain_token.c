// KIND chain, NAMES step|worker|main: threads pass a token by mutex and condition; the work is done while holding the turn.
#include <pthread.h>
#include <stdio.h>

enum { T = 4, ROUNDS = 10 };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int turn;
static unsigned state[T];
static unsigned step(unsigned x) {
  for (int i = 0; i < 6000; i++)
    x = x * 69069 + 1;
  return x;
}

static void* worker(void* v) {
  int me = (long)v;
  for (int r = 0; r < ROUNDS; r++) {
#ifdef FIXED
    state[me] = step(state[me]);
#else
    pthread_mutex_lock(&m);
    while (turn % T != me)
      pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    state[me] = step(state[(me + T - 1) % T]); // CULPRIT
    pthread_mutex_lock(&m);
    turn++;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
#endif
  }
  return v;
}

int main(void) {
  pthread_t t[T];
  for (long i = 0; i < T; i++)
    pthread_create(&t[i], 0, worker, (void*)i);
  for (int i = 0; i < T; i++)
    pthread_join(t[i], 0);
  printf("%u\n", state[0]);
}
