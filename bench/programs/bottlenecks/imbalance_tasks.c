// KIND imbalance, NAMES solve|main|board: OpenMP tasks, one of them is far larger, and begun last.
#include <stdio.h>

static long cost(int k, long n) {
  long s = k;
  for (long i = 0; i < n; i++)
    s = s * 31 + i;
  return s;
}

static long r[12];
static void solve(void) {
#pragma omp parallel
#pragma omp single
  for (int k = 0; k < 12; k++) {
#ifdef FIXED
#pragma omp task firstprivate(k)
    r[k] = cost(k, 30000);
#else
#pragma omp task firstprivate(k)
    r[k] = cost(k, k == 11 ? 150000 : 19000); // CULPRIT
#endif
  }
}

int main(void) {
  solve();
  printf("%ld\n", r[3]);
}
