// Spanning forest of a random graph by sorted edges and ranked sets.
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int a, b, weight;
} Edge;

static int by_weight(const void *x, const void *y) { return ((const Edge *)x)->weight - ((const Edge *)y)->weight; }

static int find(int *parent, int x) {
  while (parent[x] != x) x = parent[x] = parent[parent[x]];
  return x;
}

static long forest(int n) {
  int *parent = malloc((size_t)n * sizeof *parent), m = 3 * n;
  Edge *edges = malloc((size_t)m * sizeof *edges);
  unsigned state = 1;
  for (int i = 0; i < n; i++) parent[i] = i;
  for (int i = 0; i < m; i++) {
    state = state * 1664525 + 1013904223;
    edges[i] = (Edge){(int)((state >> 8) % (unsigned)n), i % n, (int)(state >> 16)};
  }
  qsort(edges, (size_t)m, sizeof *edges, by_weight);
  long sum = 0;
  for (int i = 0; i < m; i++) {
    int a = find(parent, edges[i].a), b = find(parent, edges[i].b);
    if (a != b) {
      parent[a] = b;
      sum += edges[i].weight;
    }
  }
  free(parent);
  free(edges);
  return sum;
}

int main(void) {
  long sum = 0;
  for (int n = 250; n <= 2500; n += 250) sum += forest(n);
  printf("%ld\n", sum);
}
