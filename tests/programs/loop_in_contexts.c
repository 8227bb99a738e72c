/* A loop that goes round often when it is called from one place, and seldom when from another. The run may
   end in it. */
#include <stdlib.h>

static volatile int sink;

__attribute__((noipa)) static void scan(int n, int last) {
  for (int i = 0; i < n; i++) {
    sink++;
    if (i == last)
      exit(0);
  }
}

__attribute__((noipa)) static void few(void) {
  scan(3, -1);
  scan(4, -1);
}

__attribute__((noipa)) static void many(int last) {
  for (int k = 0; k < 5; k++)
    scan(100, last);
}

int main(int argc, char **argv) {
  few();
  many(-1);
  few();
  if (argc > 1)
    many(50);
  return 0;
}
