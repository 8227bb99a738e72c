// Loops whose first instruction is not of their first line: the initial value of a sum is set in
// the outer loop of a nest; the condition of a loop is tested in its middle.
#include <stdio.h>

#define NOINLINE __attribute__((noinline, noipa))

NOINLINE static void use(const char* text, int number) {
  static volatile long used;
  used += text[0] + number;
}

NOINLINE static int nest(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      sum += i ^ j;
  return sum;
}

NOINLINE static int sums(int n) {
  int all = 0;

  for (int i = 1; i <= n; i++) {
    all += nest(i);
    use("sum", all);
  }
  return all;
}

struct list {
  struct list* next;
  int number;
};

static inline int first_from(const struct list* at, int least) {
  while (at != NULL) {
    if (at->number >= least)
      return at->number;
    use("passed", at->number);
    at = at->next;
  }
  return -1;
}

int main(void) {
  struct list last = {NULL, 9}, middle = {&last, 5}, first = {&middle, 1};
  printf("%d %d %d\n", nest(20), sums(10), first_from(&first, 9));
  return 0;
}
