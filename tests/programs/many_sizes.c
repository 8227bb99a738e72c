// One routine on 2000 input sizes.
#include <stdio.h>

static volatile int array[2000];

__attribute__((noinline, noipa)) long sum(int n) {
  long total = 0;
  for (int i = 0; i < n; i++)
    total += array[i];
  return total;
}

int main(void) {
  long total = 0;
  for (int n = 1; n <= 2000; n++)
    total += sum(n);
  printf("%ld\n", total);
  return 0;
}
