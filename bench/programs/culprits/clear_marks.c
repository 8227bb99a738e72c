// Searches from each node a few steps far; all marks are cleared before each search.
// culprit: near, count_near, memset
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char *marks;
static int *found;

static int near(const int (*next)[2], int nodes, int from) {
  int n = 1;
#ifndef REPAIRED
  memset(marks, 0, (size_t)nodes * sizeof *marks); // CULPRIT
#endif
  found[0] = from;
  marks[from] = 1;
  for (int i = 0; i < n && n < 12; i++)
    for (int k = 0; k < 2; k++) {
      int to = next[found[i]][k];
      if (!marks[to]) marks[to] = 1, found[n++] = to;
    }
#ifdef REPAIRED
  for (int i = 0; i < n; i++) marks[found[i]] = 0;
#endif
  return n;
}

static long count_near(int nodes) {
  int(*next)[2] = malloc((size_t)nodes * sizeof *next);
  marks = calloc((size_t)nodes, sizeof *marks);
  found = malloc(64 * sizeof *found);
  for (int i = 0; i < nodes; i++) next[i][0] = (i * 3 + 1) % nodes, next[i][1] = (i * 5 + 2) % nodes;
  long sum = 0;
  for (int i = 0; i < nodes; i++) sum += near(next, nodes, i);
  free(next), free(marks), free(found);
  return sum;
}

int main(void) {
  long sum = 0;
  for (int nodes = 1000; nodes <= 10000; nodes += 1000) sum += count_near(nodes);
  printf("%ld\n", sum);
}
