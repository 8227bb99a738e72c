// Matches file names against a pattern; each star tries all lengths again.
// culprit: matches
#include <stdio.h>
#include <string.h>

#ifdef REPAIRED
static int matches(const char *p, const char *t) {
  const char *star = NULL, *from = NULL;
  while (*t) {
    if (*p == *t) p++, t++;
    else if (*p == '*') star = p++, from = t;
    else if (star) p = star + 1, t = ++from;
    else return 0;
  }
  while (*p == '*') p++;
  return *p == 0;
}
#else
static int matches(const char *p, const char *t) { // CULPRIT
  if (*p == 0) return *t == 0;
  if (*p == '*') return matches(p + 1, t) || (*t && matches(p, t + 1));
  return *p == *t && matches(p + 1, t + 1);
}
#endif

static int checksum(const char *name) {
  int sum = 0;
  for (; *name; name++) sum = sum * 31 + *name;
  return sum & 1;
}

int main(void) {
  char name[64];
  int hits = 0, odd = 0;
  for (int n = 4; n <= 26; n += 2) {
    memset(name, 'a', (size_t)n);
    strcpy(name + n, ".txt");
    hits += matches("*a*a*a*a*a*b", name) + matches("*.txt", name);
    odd += checksum(name);
  }
  printf("%d matches, %d odd\n", hits, odd);
}
