// Two faults that call the same routine of the C library: one from a function that is not inlined, one in main,
// which calls another dear one elsewhere.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[64000];

#ifdef REPAIRED
static char *end = text;
__attribute__((noinline)) static void add_line(const char *line) { end = stpcpy(end, line); }
#else
__attribute__((noinline)) static void add_line(const char *line) { strcat(text, line); }
#endif

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void) {
  for (int i = 0; i < 2000; i++) {
    char line[32];
    snprintf(line, sizeof line, "line %d\n", i);
    add_line(line);
  }
  static int values[60000];
  for (int i = 0; i < 60000; i++) values[i] = (int)(i * 2654435761u % 100003);
  qsort(values, 60000, sizeof *values, by_value);
  int n = 6000, first = 0;
  for (int i = 0; i < 6000 && n > 0; i++) {
    first += values[0];
#ifndef REPAIRED
    memmove(values, values + 1, (size_t)--n * sizeof *values);
#endif
  }
  printf("%zu %d\n", strlen(text), first);
}
