// Removes blanks from a text in place, by moving the rest for each of them.
// culprit: strip, clean
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *make_text(int n) {
  char *t = malloc((size_t)n + 1);
  for (int i = 0; i < n; i++) t[i] = i % 6 == 5 ? ' ' : (char)('a' + i % 26);
  t[n] = 0;
  return t;
}

static void strip(char *t) {
#ifdef REPAIRED
  char *to = t;
  for (; *t; t++)
    if (*t != ' ') *to++ = *t;
  *to = 0;
#else
  while (*t) {
    if (*t == ' ') memmove(t, t + 1, strlen(t)); // CULPRIT
    else t++;
  }
#endif
}

static unsigned digest(const char *t) {
  unsigned h = 0;
  for (; *t; t++) h = h * 31 + (unsigned)toupper(*t);
  return h;
}

int main(void) {
  unsigned h = 0;
  char *t = make_text(20000);
  strip(t);
  h ^= digest(t);
  free(t);
  printf("%u\n", h);
}
