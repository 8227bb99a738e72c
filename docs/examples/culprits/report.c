// Makes texts of 500, 1,000, ... 4,000 lines. -DREPAIRED: keeps a text's end, rather than looking
// for it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 8, STEP = 500, LONGEST = 32 };

static char* add_line(char* text, int number) {
  char line[LONGEST];
  snprintf(line, sizeof line, "order %d\n", number);
#ifdef REPAIRED
  return stpcpy(text, line); // where the next line goes
#else
  return strcat(text, line);
#endif
}

static void make_report(char* text, int lines) {
  *text = '\0';
  for (int i = 0; i < lines; i++)
    text = add_line(text, i);
}

int main(void) {
  char* text = malloc(STEPS * STEP * LONGEST);
  for (int step = 1; step <= STEPS; step++)
    make_report(text, step * STEP);
  printf("%zu characters\n", strlen(text));
  free(text);
}
