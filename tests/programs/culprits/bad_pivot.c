// A quicksort whose pivot is the last element, on sorted input: n calls deep. Repaired: the middle one.
#include <stdio.h>
#include <stdlib.h>

static void swap(int *a, int *b) {
  int kept = *a;
  *a = *b;
  *b = kept;
}

static void quick(int *v, int low, int high) {
  if (low >= high)
    return;
#ifdef REPAIRED
  swap(&v[low + (high - low) / 2], &v[high]);
#endif
  int place = low;
  for (int i = low; i < high; i++)
    if (v[i] < v[high])
      swap(&v[i], &v[place++]);
  swap(&v[place], &v[high]);
  quick(v, low, place - 1);
  quick(v, place + 1, high);
}

int main(void) {
  const int n = 1000;
  int *v = malloc(n * sizeof *v);
  for (int i = 0; i < n; i++)
    v[i] = 3 * i;
  quick(v, 0, n - 1);
  printf("%d\n", v[n - 1]);
  free(v);
}
