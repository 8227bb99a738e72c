/* Loops of every kind, whose executions and iterations the program counts itself: it prints, for each,
   the line that the loop begins on, and how often it was executed and went round. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#define LOOPS 16
static struct {
  int line;
  long executions, iterations;
} counted[LOOPS];

#define BEGIN(loop) \
  int round_##loop = 0; \
  counted[loop].line = __LINE__ + 1
#define ROUND(loop) (counted[loop].iterations++, counted[loop].executions += round_##loop++ == 0)

static volatile long sink;
static jmp_buf out;

__attribute__((noinline)) static void leave(int when) {
  if (when)
    longjmp(out, 1);
  sink++;
}

__attribute__((noinline)) static void simple(int n) {
  BEGIN(0);
  for (int i = 0; i < n; i++) {
    ROUND(0);
    sink += i;
  }
  BEGIN(1);
  while (n > 0) {
    ROUND(1);
    sink += n;
    n -= 2;
  }
}

__attribute__((noinline)) static void nested(int n) {
  BEGIN(2);
  for (int i = 0; i < n; i++) {
    ROUND(2);
    BEGIN(3);
    for (int j = 0; j < i; j++) {
      ROUND(3);
      if (j % 5 == 4)
        continue;
      if (j == 17)
        break;
      sink += j;
    }
    leave(0);
  }
}

__attribute__((noinline)) static int found(const int *numbers, int n, int wanted) {
  BEGIN(4);
  for (int i = 0; i < n && numbers[i] >= 0; i++) {
    ROUND(4);
    if (numbers[i] == wanted)
      return i;
  }
  return -1;
}

__attribute__((noinline)) static void jumped_out(int n) {
  BEGIN(5);
  for (int i = 0; i < 7; i++) {
    ROUND(5);
    if (setjmp(out))
      continue;
    BEGIN(6);
    for (int j = 0; j < n; j++) {
      ROUND(6);
      leave(j == i);
    }
  }
}

__attribute__((noinline)) static void interpreter(const char *program) {
  BEGIN(7);
  for (; *program; program++) {
    ROUND(7);
    switch (*program) {
    case 'a': sink += 1; break;
    case 'b': sink ^= 2; break;
    case 'c': sink -= 3; break;
    case 'd': sink *= 5; break;
    case 'e': sink += 7; break;
    case 'f': sink |= 8; break;
    case 'g': leave(0); break;
    default: sink++;
    }
  }
}

__attribute__((noinline)) static void recursive(int depth) {
  BEGIN(8);
  for (int i = 0; i < depth; i++) {
    ROUND(8);
    recursive(i);
  }
}

__attribute__((noinline)) static void gotos(int n) {
  int round_9 = 0;
  counted[9].line = __LINE__ + 2;
again:
  ROUND(9);
  sink += n;
  if (--n > 0)
    goto again;
}

int main(int count, char **arguments) {
  if (count > 1) { // "recursion"
    recursive(9);
    return 0;
  }
  int numbers[100];
  for (int i = 0; i < 100; i++)
    numbers[i] = i;
  for (int n = 0; n < 40; n += 3) {
    simple(n);
    nested(n);
    found(numbers, 100, n);
    found(numbers, n, -1);
    gotos(n);
  }
  jumped_out(5);
  interpreter("abcdefgabcabcxg");
  interpreter("");
  recursive(5);
  for (int loop = 0; loop < LOOPS; loop++)
    if (counted[loop].line)
      printf("%d %ld %ld\n", counted[loop].line, counted[loop].executions,
             counted[loop].iterations);
}
