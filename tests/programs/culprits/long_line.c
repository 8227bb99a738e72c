// strcat finds the end of the line again for each word, which costs less than making the word at first.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *line;
static size_t length;

static void add(int i) {
  char word[32];
  const int size = snprintf(word, sizeof word, "word %d;", i);
#ifdef REPAIRED
  memcpy(line + length, word, size + 1);
#else
  strcat(line, word);
#endif
  length += size;
}

static void fill(int n) {
  for (int i = 0; i < n; i++)
    add(i);
}

int main(void) {
  line = calloc(1 << 20, 1);
  fill(4000);
  printf("%zu %zu\n", length, strlen(line));
  free(line);
}
