// A server that asks every connection at each tick, though few have data.
// culprit: poll_once, serve, main
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int pending, total, pad[6];
} Connection;

static int *ready, n_ready;

static void deliver(Connection *all, int to) {
  if (all[to].pending++ == 0) ready[n_ready++] = to;
}

static int handle(Connection *c) {
  c->total += c->pending;
  c->pending = 0;
  return c->total;
}

static long poll_once(Connection *all, int n) {
  long sum = 0;
#ifdef REPAIRED
  (void)n;
  for (int i = 0; i < n_ready; i++) sum += handle(&all[ready[i]]);
#else
  for (int i = 0; i < n; i++) // CULPRIT
    if (all[i].pending) sum += handle(&all[i]);
#endif
  n_ready = 0;
  return sum;
}

static long serve(int n) {
  Connection *all = calloc((size_t)n, sizeof *all);
  ready = malloc((size_t)n * sizeof *ready);
  long sum = 0;
  for (int tick = 0; tick < n; tick++) {
    for (int k = 0; k < 3; k++) deliver(all, (tick * 7919 + k * 31) % n);
    sum += poll_once(all, n);
  }
  free(all);
  free(ready);
  return sum;
}

int main(void) {
  long sum = 0;
  for (int n = 200; n <= 1600; n += 200) sum += serve(n);
  printf("%ld\n", sum);
}
