// Determinants by expansion along the first row.
// culprit: determinant
#include <stdio.h>
#include <string.h>

#define N 8

#ifdef REPAIRED
static double determinant(double m[N][N], int n) {
  double a[N][N], product = 1;
  memcpy(a, m, sizeof a);
  for (int i = 0; i < n; i++) {
    product *= a[i][i];
    for (int j = i + 1; j < n; j++)
      for (int k = n - 1; k >= i; k--) a[j][k] -= a[j][i] / a[i][i] * a[i][k];
  }
  return product;
}
#else
static double determinant(double m[N][N], int n) { // CULPRIT
  if (n == 1) return m[0][0];
  double sum = 0, minor[N][N];
  for (int c = 0; c < n; c++) {
    for (int i = 1; i < n; i++)
      for (int j = 0, k = 0; j < n; j++)
        if (j != c) minor[i - 1][k++] = m[i][j];
    sum += (c % 2 ? -1 : 1) * m[0][c] * determinant(minor, n - 1);
  }
  return sum;
}
#endif

static void fill(double m[N][N], int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) m[i][j] = (i * 7 + j * 3) % 11 + (i == j) * 20;
}

int main(void) {
  double m[N][N], sum = 0;
  for (int n = 2; n <= N; n++) {
    fill(m, n);
    sum += determinant(m, n);
  }
  printf("%.0f\n", sum);
}
