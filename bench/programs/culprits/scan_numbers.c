// Reads numbers by sscanf, which takes the length of the rest of the text each time.
// culprit: next_number, parse, sscanf
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char* text_of(int numbers) {
  char *text = malloc(numbers * 8 + 1), *end = text;
  for (int i = 0; i < numbers; i++)
    end += sprintf(end, "%d,", (i * 7919) % 99991);
  *end = 0;
  return text;
}

struct parser {
  const char* at;
};

static int next_number(struct parser* parser, int* number) {
#ifdef REPAIRED
  char* end;
  *number = strtol(parser->at, &end, 10);
  if (end == parser->at)
    return 0;
  parser->at = end + 1;
#else
  int used = 0;
  if (sscanf(parser->at, "%d,%n", number, &used) != 1)
    return 0; // CULPRIT
  parser->at += used;
#endif
  return 1;
}

static long parse(const char* text) {
  struct parser parser = {text};
  long sum = 0;
  int number;
  while (next_number(&parser, &number))
    sum += number % 13; // CULPRIT
  return sum;
}

int main(void) {
  char* text = text_of(4000);
  printf("%ld\n", parse(text));
  free(text);
  return 0;
}
