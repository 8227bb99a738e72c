/* The size is in a register: the number of ways to climb so many steps, by one or two at a time. */
#include <stdio.h>

static long ways(int steps) { return steps < 3 ? steps : ways(steps - 1) + ways(steps - 2); }

int main(void) {
  long sum = 0;
  for (int steps = 4; steps <= 20; steps++)
    sum += ways(steps);
  printf("%ld\n", sum);
  return 0;
}
