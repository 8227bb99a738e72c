// KIND grain, NAMES gauss|eliminate|main: a parallel loop for each row that is subtracted, in the middle of three loops.
#include <stdio.h>

enum { N = 48 };
static double a[N][N];

static void eliminate(int pivot, int row) {
  double factor = a[row][pivot] / a[pivot][pivot];
#ifndef FIXED
#pragma omp parallel for // CULPRIT
#endif
  for (int k = pivot; k < N; k++)
    a[row][k] -= factor * a[pivot][k];
}

static void gauss(void) {
  for (int pivot = 0; pivot < N; pivot++) {
#ifdef FIXED
#pragma omp parallel for
#endif
    for (int row = pivot + 1; row < N; row++)
      eliminate(pivot, row);
  }
}

int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = i == j ? N : (i * j) % 7;
  gauss();
  printf("%g\n", a[N - 1][N - 1]);
}
