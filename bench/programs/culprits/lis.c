// The longest rise in a series of prices, by comparing each with all before it.
// culprit: longest_rise
#include <stdio.h>
#include <stdlib.h>

static int* prices(int days) {
  int* p = malloc(days * sizeof *p);
  unsigned seed = 7;
  for (int i = 0; i < days; i++) {
    seed = seed * 1103515245 + 12345;
    p[i] = i + (int)(seed >> 16) % 500;
  }
  return p;
}

static int longest_rise(const int* price, int days) {
  int *best = malloc(days * sizeof *best), longest = 0;
#ifdef REPAIRED
  for (int i = 0; i < days; i++) {
    int low = 0, high = longest;
    while (low < high) {
      int middle = (low + high) / 2;
      if (best[middle] < price[i])
        low = middle + 1;
      else
        high = middle;
    }
    best[low] = price[i];
    if (low == longest)
      longest++;
  }
#else
  for (int i = 0; i < days; i++) {
    best[i] = 1;
    for (int j = 0; j < i; j++) // CULPRIT
      if (price[j] < price[i] && best[j] + 1 > best[i])
        best[i] = best[j] + 1;
    if (best[i] > longest)
      longest = best[i];
  }
#endif
  free(best);
  return longest;
}

int main(void) {
  long sum = 0;
  for (int days = 200; days <= 2000; days += 200) {
    int* p = prices(days);
    sum += longest_rise(p, days);
    free(p);
  }
  printf("%ld\n", sum);
}
