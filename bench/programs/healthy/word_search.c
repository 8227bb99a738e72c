// Counts words in a text of repeated runs by Knuth, Morris and Pratt.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count(const char *text, const char *word) {
  int n = (int)strlen(word), at = 0, found = 0, *back = calloc((size_t)n + 1, sizeof *back);
  back[0] = -1;
  for (int i = 1, k = -1; i <= n; i++) {
    k = back[i - 1];
    while (k >= 0 && word[k] != word[i - 1]) k = back[k];
    back[i] = k + 1;
  }
  for (; *text; text++) {
    while (at >= 0 && word[at] != *text) at = back[at];
    if (++at == n) found++, at = back[at];
  }
  free(back);
  return found;
}

int main(void) {
  int sum = 0;
  for (int n = 1000; n <= 16000; n += 1000) {
    char *text = malloc((size_t)n + 1), word[80];
    memset(text, 'a', (size_t)n);
    for (int i = 60; i < n; i += 61) text[i] = 'b';
    text[n] = 0;
    memset(word, 'a', 60), strcpy(word + 60, "b");
    sum += count(text, word);
    free(text);
  }
  printf("%d\n", sum);
}
