// The longest common subsequence of two versions of a line, by plain recursion.
// culprit: lcs
#include <stdio.h>
#include <string.h>

#define MAX(a, b) ((a) > (b) ? (a) : (b))

#ifdef REPAIRED
static int lcs(const char *a, const char *b, int i, int j) {
  static int length[65][65];
  for (int x = 1; x <= i; x++)
    for (int y = 1; y <= j; y++)
      length[x][y] = a[x - 1] == b[y - 1] ? length[x - 1][y - 1] + 1 : MAX(length[x - 1][y], length[x][y - 1]);
  return length[i][j];
}
#else
static int lcs(const char *a, const char *b, int i, int j) { // CULPRIT
  if (i == 0 || j == 0) return 0;
  if (a[i - 1] == b[j - 1]) return lcs(a, b, i - 1, j - 1) + 1;
  return MAX(lcs(a, b, i - 1, j), lcs(a, b, i, j - 1));
}
#endif

int main(void) {
  const char *old[] = {"int total = 0;", "for (i = 0; i <", "return sum + 1;"};
  const char *new[] = {"long sum = 1;", "while (k-- > 0)", "return all - 2;"};
  for (int i = 0; i < 3; i++) {
    int a = (int)strlen(old[i]), b = (int)strlen(new[i]);
    printf("%d of %d\n", lcs(old[i], new[i], a > 9 ? 9 : a, b > 9 ? 9 : b), a);
  }
}
