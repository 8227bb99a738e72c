/* Compiled twice, with -DUNIT=0 and -DUNIT=1, into two units that have a function of the same name.
   Each calls it with one argument that does not change, so that compilers make a copy without it. */
#include <stdio.h>

int other_unit(int n);

static __attribute__((noinline)) int helper(int n, int step) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += i * step + UNIT;
  return sum;
}

#if UNIT == 1
int other_unit(int n) { return helper(n, 7); }
#else
int main(int argc, char **argv) {
  (void)argv;
  int sum = 0;
  for (int i = 0; i < 5; i++)
    sum += helper(argc + i, 3);
  for (int i = 0; i < 3; i++)
    sum += other_unit(argc + i);
  printf("%d\n", sum);
  return 0;
}
#endif
