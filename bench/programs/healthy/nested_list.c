// Reads nested lists of numbers by recursion. The text is handed out in blocks, for each of which
// the length of the rest is taken: that reads the text many times, at next to no cost.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1024 };

struct reader {
  int (*next)(struct reader*);
  const char* rest;
  char block[BLOCK];
  size_t at, filled;
};

static int fill(struct reader* reader) {
  size_t length = strlen(reader->rest);
  reader->filled = length < BLOCK ? length : BLOCK;
  memcpy(reader->block, reader->rest, reader->filled);
  reader->rest += reader->filled;
  reader->at = 0;
  return reader->filled > 0;
}

static int next_of_text(struct reader* reader) {
  if (reader->at == reader->filled && !fill(reader))
    return -1;
  return reader->block[reader->at++];
}

// What is between the list's brackets, of which the first is read.
static long sum_of(struct reader* reader) {
  long sum = 0, number = 0;
  for (int c = reader->next(reader); c >= 0 && c != ')'; c = reader->next(reader)) {
    if (c == '(') {
      sum += sum_of(reader);
    } else if (c == ' ') {
      sum += number;
      number = 0;
    } else {
      number = 10 * number + c - '0';
    }
  }
  return sum + number;
}

int main(void) {
  enum { LISTS = 7000 };
  char* text = malloc(16 * LISTS + 2);
  size_t length = 0;
  for (int i = 0; i < LISTS; i++)
    length += sprintf(text + length, "(%d %d) ", i, i * 31 % 101);
  text[length] = '\0';
  struct reader reader = {next_of_text, text, "", 0, 0};
  printf("%ld\n", sum_of(&reader));
  free(text);
  return 0;
}
