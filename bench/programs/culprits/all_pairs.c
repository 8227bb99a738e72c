// How far the villages are from the first one; the ways between all of them are computed for it.
// culprit: main, all_distances
#include <stdio.h>
#include <stdlib.h>

enum { VILLAGES = 130, FAR = 1 << 28 };

int main(void) {
  int n = VILLAGES;
  int* way = malloc(n * n * sizeof *way);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      way[i * n + j] = i == j ? 0 : (i * j + i + j) % 13 == 1 ? 1 + (i + j) % 9 : FAR;
#ifdef REPAIRED
  int *from_first = malloc(n * sizeof *from_first), *done = calloc(n, sizeof *done);
  for (int i = 0; i < n; i++)
    from_first[i] = i ? FAR : 0;
  for (int round = 0; round < n; round++) {
    int next = -1;
    for (int i = 0; i < n; i++)
      if (!done[i] && (next < 0 || from_first[i] < from_first[next]))
        next = i;
    done[next] = 1;
    for (int i = 0; i < n; i++)
      if (from_first[next] + way[next * n + i] < from_first[i])
        from_first[i] = from_first[next] + way[next * n + i];
  }
#else
  for (int by = 0; by < n; by++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) // CULPRIT
        if (way[i * n + by] + way[by * n + j] < way[i * n + j])
          way[i * n + j] = way[i * n + by] + way[by * n + j];
  int* from_first = way;
#endif
  long sum = 0;
  for (int i = 0; i < n; i++)
    sum += from_first[i];
  printf("%ld\n", sum);
}
