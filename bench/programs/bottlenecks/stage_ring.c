// KIND pipeline, NAMES filter: three stages with bounded rings of mutex and conditions; all of them call spin().
#include <pthread.h>
#include <stdio.h>

#define CAP 4
struct ring {
  pthread_mutex_t m;
  pthread_cond_t full, empty;
  int n, head, item[CAP];
};

static struct ring first = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER,
                            PTHREAD_COND_INITIALIZER},
                   second = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER,
                             PTHREAD_COND_INITIALIZER};
static void put(struct ring* r, int v) {
  pthread_mutex_lock(&r->m);
  while (r->n == CAP)
    pthread_cond_wait(&r->full, &r->m);
  r->item[(r->head + r->n++) % CAP] = v;
  pthread_cond_signal(&r->empty);
  pthread_mutex_unlock(&r->m);
}

static int get(struct ring* r) {
  pthread_mutex_lock(&r->m);
  while (!r->n)
    pthread_cond_wait(&r->empty, &r->m);
  int v = r->item[r->head];
  r->head = (r->head + 1) % CAP;
  r->n--;
  pthread_cond_signal(&r->full);
  pthread_mutex_unlock(&r->m);
  return v;
}

static __attribute__((noinline)) int spin(int v, int n) {
  for (int i = 0; i < n; i++)
    v = v * 1103515245 + 12345;
  return v & 0x7fffffff;
}

static void* decode(void* u) {
  for (int i = 0; i < 60; i++)
    put(&first, spin(i, 3000));
  put(&first, -1);
  return u;
}

#ifdef FIXED
enum { COST = 3000 };
#else
enum { COST = 15000 };
#endif

static void* filter(void* u) {
  int v;
  while ((v = get(&first)) >= 0)
    put(&second, spin(v, COST));
  put(&second, -1);
  return u; // CULPRIT
}

static void* encode(void* u) {
  int v, s = 0;
  while ((v = get(&second)) >= 0)
    s ^= spin(v, 3000);
  printf("%d\n", s);
  return u;
}

int main(void) {
  pthread_t t[3];
  pthread_create(t, 0, decode, 0);
  pthread_create(t + 1, 0, filter, 0);
  pthread_create(t + 2, 0, encode, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
}
