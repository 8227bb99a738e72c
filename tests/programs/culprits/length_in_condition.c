// A string whose length is asked for before each of its characters, on one string. Repaired: once.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 6000, LOOKUPS = 5000 };

static int count(const char *text, char wanted) {
  int found = 0;
#ifdef REPAIRED
  size_t length = strlen(text);
  for (size_t i = 0; i < length; i++)
#else
  for (size_t i = 0; i < strlen(text); i++)
#endif
  {
    found += text[i] == wanted;
    if (text[i] == '\n')
      puts(text); // so that the length may change
  }
  return found;
}

// A buffer that is searched as often as the work at hand says is no such loop.
static long look_up(const int *table, int size) {
  long sum = 0;
  for (int i = 0; i < LOOKUPS; i++)
    for (int k = 0; k < size; k++)
      sum += table[k] ^ i;
  return sum;
}

int main(void) {
  char *text = malloc(LENGTH + 1);
  for (int i = 0; i < LENGTH; i++)
    text[i] = 'a' + i % 26;
  text[LENGTH] = 0;
  static int table[500];
  printf("%d %ld\n", count(text, 'e'), look_up(table, 500));
}
