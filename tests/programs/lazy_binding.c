// A routine that calls a library function through the procedure linkage table, three times alike.
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline, noipa)) long call_labs(long value) {
  const long magnitude = labs(value);
  return magnitude + 1;
}

int main(void) {
  long total = 0;
  for (int i = 0; i < 3; i++)
    total += call_labs(-i);
  printf("%ld\n", total);
  return 0;
}
