/* Loops, part of whose code has lines of another file, as what compilers leave of inlined functions. */
#include <stdio.h>

enum { ITEMS = 400 };

static volatile int items[ITEMS];

static int __attribute__((noinline)) body_elsewhere(void) {
  int sum = 0;
  for (int i = 0; i < ITEMS; i++) {
    sum += items[i];
#line 900 "elsewhere.h"
    if (items[i] & 1)
      items[i] = 2;
#line 16 "lines_elsewhere.c"
    items[i] ^= sum;
  }
  return sum;
}

static int __attribute__((noinline)) end_elsewhere(void) {
  int i = 0, sum = 0;
  do {
    if (items[i] & 2)
      sum++;
    items[i] = sum;
#line 900 "elsewhere.h"
  } while (++i < ITEMS);
#line 30 "lines_elsewhere.c"
  return sum;
}

int main(void) {
  printf("%d\n", body_elsewhere() + end_elsewhere());
}
