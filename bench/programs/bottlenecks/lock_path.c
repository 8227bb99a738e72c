// KIND lock, NAMES sum_all|main|update|best: a named critical section in which a path's length is computed.
#include <stdio.h>

enum { C = 40, TRIES = 900 };
static int px[C], py[C];
static long best = 1l << 60;
static long length(unsigned s) {
  int order[C];
  long l = 0;
  for (int i = 0; i < C; i++)
    order[i] = i;
  for (int i = C - 1; i > 0; i--) {
    s = s * 1103515245 + 12345;
    int j = (s >> 16) % (i + 1), o = order[i];
    order[i] = order[j];
    order[j] = o;
  }
  for (int i = 1; i < C; i++) {
    int dx = px[order[i]] - px[order[i - 1]], dy = py[order[i]] - py[order[i - 1]];
    l += dx * dx + dy * dy;
  }
  return l;
}

static void update(unsigned s) {
#ifdef FIXED
  long l = length(s);
#pragma omp critical(best)
  if (l < best)
    best = l;
#else
#pragma omp critical(best) // CULPRIT
  {
    long l = length(s);
    if (l < best)
      best = l;
  }
#endif
}

int main(void) {
  for (int i = 0; i < C; i++)
    px[i] = i * 37 % 101, py[i] = i * 53 % 97;
#pragma omp parallel for schedule(static)
  for (int t = 0; t < TRIES; t++)
    update(t);
  printf("%ld\n", best);
}
