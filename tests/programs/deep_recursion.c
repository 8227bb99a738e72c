// A recursion a million deep.
#include <stdio.h>

static volatile int sink;

__attribute__((noinline)) int deep(int n) {
  sink = n;
  if (n == 0)
    return 0;
  const int below = deep(n - 1);
  sink = n;
  return below + 1;
}

int main(void) {
  printf("%d\n", deep(1000000));
  return 0;
}
