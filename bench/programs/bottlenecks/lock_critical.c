// KIND lock, NAMES best|tour|improve|main: each iteration updates the best result in a critical section that sorts.
#include <stdio.h>
#include <string.h>

enum { kTop = 64 };

static int best[kTop];

static int evaluate(int candidate) {
  unsigned x = candidate;
  for (int i = 0; i < 200; i++)
    x = x * 69069 + 1;
  return x >> 8;
}

static void insert_sorted(int value) {
  for (int i = 0; i < kTop; i++)
    if (value > best[i]) {
      for (int k = kTop - 1; k > i; k--)
        best[k] = best[k - 1];
      best[i] = value;
      return;
    }
}

static void improve(int candidates) {
#pragma omp parallel for schedule(dynamic, 10)
  for (int c = 0; c < candidates; c++) {
    const int value = evaluate(c);
#ifdef FIXED
    if (value > best[kTop - 1])
#endif
#pragma omp critical(best) // CULPRIT
    {
      for (int k = 0; k < 4; k++)
        insert_sorted(value - k);
    }
  }
}

int main(void) {
  improve(3000);
  printf("%d\n", best[0]);
}
