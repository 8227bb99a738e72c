// A function whose unlikely part the compiler moves out: mostly_hot.cold.
#include <stdio.h>
#include <stdlib.h>

static volatile int sink;

__attribute__((cold, noinline)) void rare(int n) { sink = n; }

__attribute__((noinline)) int mostly_hot(int n) {
  if (__builtin_expect(n % 10 == 9, 0)) {
    rare(n);
    sink = n * 3;
    if (sink < 0)
      abort();
    return -1;
  }
  return n;
}

int main(void) {
  int total = 0;
  for (int i = 0; i < 100; i++)
    total += mostly_hot(i);
  printf("%d\n", total);
  return 0;
}
