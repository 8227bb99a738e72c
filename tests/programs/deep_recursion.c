// A recursion a million deep, or as deep as the argument says.
#include <stdio.h>
#include <stdlib.h>

static volatile int sink;

__attribute__((noinline)) int deep(int n) {
  sink = n;
  if (n == 0)
    return 0;
  const int below = deep(n - 1);
  sink = n;
  return below + 1;
}

int main(int argc, char **argv) {
  printf("%d\n", deep(argc > 1 ? atoi(argv[1]) : 1000000));
  return 0;
}
