// Matches names against (x+)+y by trying all ways to cut the name into groups.
// culprit: groups, matches
#include <stdio.h>
#include <string.h>

static int groups(const char *text) {
#ifdef REPAIRED
  const char *at = text;
  while (*at == 'x') at++;
  return at > text && *at == 'y' && !at[1];
#else
  for (int n = 1; text[n - 1] == 'x'; n++) // CULPRIT
    if ((text[n] == 'y' && !text[n + 1]) || groups(text + n)) return 1;
  return 0;
#endif
}

int main(void) {
  char name[64];
  int found = 0;
  for (int length = 4; length <= 18; length++) {
    memset(name, 'x', (size_t)length);
    strcpy(name + length, length % 2 ? "z" : "xz");
    found += groups(name);
    strcpy(name + length, "y");
    found += groups(name);
  }
  printf("%d match\n", found);
}
