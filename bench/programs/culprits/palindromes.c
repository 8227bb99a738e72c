// The longest palindrome of a text, by looking at each part of it.
// culprit: is_palindrome, longest_palindrome
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_palindrome(const char *text, int from, int to) {
  while (from < to)
    if (text[from++] != text[to--]) return 0; // CULPRIT
  return 1;
}

static int longest_palindrome(const char *text) {
  int n = (int)strlen(text), best = 0;
#ifdef REPAIRED
  for (int middle = 0; middle < 2 * n; middle++) {
    int from = middle / 2, to = (middle + 1) / 2, steps = 0;
    while (from >= 0 && to < n && text[from] == text[to] && steps++ < 100) from--, to++;
    if (to - from - 1 > best) best = to - from - 1;
  }
#else
  for (int from = 0; from < n; from++)
    for (int to = from + best; to < n; to++)
      if (is_palindrome(text, from, to) && to - from + 1 > best) best = to - from + 1;
#endif
  return best;
}

int main(void) {
  int sum = 0;
  for (int n = 100; n <= 1000; n += 100) {
    char *text = malloc((size_t)n + 1);
    unsigned seed = 5;
    for (int i = 0; i < n; i++) {
      seed = seed * 1664525 + 1013904223;
      text[i] = (char)('a' + (seed >> 20) % 3);
    }
    text[n] = 0;
    sum += longest_palindrome(text);
    free(text);
  }
  printf("%d\n", sum);
#ifdef REPAIRED
  (void)is_palindrome;
#endif
}
