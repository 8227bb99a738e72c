// Connected components; sets are joined without balance and without shortening of paths.
// culprit: find, join, components
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int *parent, n;
} Sets;

static Sets make_sets(int n) {
  Sets s = {malloc((size_t)n * sizeof(int)), n};
  for (int i = 0; i < n; i++) s.parent[i] = i;
  return s;
}

static int find(Sets *s, int x) {
#ifdef REPAIRED
  while (s->parent[x] != x) x = s->parent[x] = s->parent[s->parent[x]];
#else
  while (s->parent[x] != x) x = s->parent[x]; // CULPRIT
#endif
  return x;
}

static void join(Sets *s, int a, int b) {
  a = find(s, a);
  b = find(s, b);
  if (a != b) s->parent[a] = b;
}

static int components(int n) {
  Sets s = make_sets(n);
  int count = 0;
  for (int i = 1; i < n; i++)
    if (i % 100 != 0) join(&s, i > 5 ? 0 : i - 1, i);
  for (int i = 0; i < n; i++) count += find(&s, i) == i;
  free(s.parent);
  return count;
}

int main(void) { printf("%d\n", components(4000)); }
