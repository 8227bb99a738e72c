// Two static functions of one name, here and in namesakes_two.c.
#include <stdio.h>

int second(int n);

__attribute__((noinline, noipa)) static int helper(int n) { return n + 1; }

int main(void) {
  int total = 0;
  for (int i = 0; i < 2; i++)
    total += helper(i);
  for (int i = 0; i < 5; i++)
    total += second(i);
  printf("%d\n", total);
  return 0;
}
