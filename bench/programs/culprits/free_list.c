// A pool that looks for room from its first block on, where all are taken.
// culprit: take, build
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int used;
  char data[28];
} Block;

static Block *pool;
static int size, hint;

static Block *take(void) {
#ifdef REPAIRED
  for (int i = hint; i < size; i++)
#else
  for (int i = 0; i < size; i++) // CULPRIT
#endif
    if (!pool[i].used) {
      pool[i].used = 1;
      hint = i + 1;
      return &pool[i];
    }
  return NULL;
}

static int fill(Block *b, int seed) {
  int sum = 0;
  for (int i = 0; i < 28; i++) sum += b->data[i] = (char)(seed * i);
  return sum;
}

static long build(int n) {
  pool = calloc((size_t)n, sizeof *pool);
  size = n;
  hint = 0;
  long sum = 0;
  for (int i = 0; i < n; i++) sum += fill(take(), i);
  free(pool);
  return sum;
}

int main(void) { printf("%ld\n", build(3000)); }
