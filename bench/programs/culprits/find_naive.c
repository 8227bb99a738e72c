// Counts a motif in a sequence of long runs by trying each place.
// culprit: count_motif, find
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *make_sequence(int n) {
  char *text = malloc((size_t)n + 1);
  for (int i = 0; i < n; i++) text[i] = i % 10000 == 9999 ? 'C' : 'A';
  text[n] = 0;
  return text;
}

static int count_motif(const char *text, int n, const char *motif, int m) {
  int count = 0;
#ifdef REPAIRED
  int *fail = calloc((size_t)m + 1, sizeof *fail);
  for (int i = 1, k = 0; i < m; fail[++i] = k) {
    while (k && motif[i] != motif[k]) k = fail[k];
    if (motif[i] == motif[k]) k++;
  }
  for (int i = 0, k = 0; i < n; i++) {
    while (k && (k == m || text[i] != motif[k])) k = fail[k];
    if (text[i] == motif[k]) k++;
    count += k == m;
  }
  free(fail);
#else
  for (int i = 0; i + m <= n; i++) {
    int k = 0;
    while (k < m && text[i + k] == motif[k]) k++; // CULPRIT
    count += k == m;
  }
#endif
  return count;
}

static int composition(const char *text) {
  int c = 0;
  for (; *text; text++) c += *text == 'C';
  return c;
}

int main(void) {
  int sum = 0;
  for (int n = 500; n <= 4000; n += 500) {
    char *text = make_sequence(n), *motif = make_sequence(n / 8);
    motif[n / 8 - 1] = 'C';
    sum += count_motif(text, n, motif, n / 8) + composition(text);
    free(text);
    free(motif);
  }
  printf("%d\n", sum);
}
