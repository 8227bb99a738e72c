// Calls that cost what their argument says, which is in a register: two routines that call each other.
#include <stdio.h>

int is_odd(unsigned n);

__attribute__((noinline)) int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }

__attribute__((noinline)) int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

int main(void) {
  int even = 0;
  for (unsigned i = 1; i < 300; i++)
    even += is_even(i * 167 % 599); // in no order
  printf("%d\n", even);
}
