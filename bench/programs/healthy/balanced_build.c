// Lays a sorted sequence out as a balanced tree in an array that it does not read.
#include <stdio.h>
#include <stdlib.h>

static int *keys, *order, n_keys;

static void lay_out(int at, int from, int to) {
  if (from >= to) return;
  int middle = (from + to) / 2;
  keys[at] = middle * 3;
  order[middle] = at;
  if (2 * at + 2 < 1 << 17) {
    lay_out(2 * at + 1, from, middle);
    lay_out(2 * at + 2, middle + 1, to);
  }
}

int main(void) {
  n_keys = 30000;
  keys = calloc(1 << 17, sizeof *keys);
  order = calloc((size_t)n_keys, sizeof *order);
  lay_out(0, 0, n_keys);
  long sum = 0;
  for (int i = 0; i < n_keys; i++) sum += keys[order[i]];
  printf("%ld\n", sum);
}
