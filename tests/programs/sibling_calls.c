// Calls in tail position: a chain, mutual recursion, through a pointer, into a shared library. Each
// link reads one cell of its own, so that the input of the chain below it is known as well.
#include "sibling_calls.h"

#include <stdio.h>

#define NOINLINE __attribute__((noinline, noipa))

static volatile int cell_of_first = 1, cell_of_second = 2, cell_of_third = 3;
static int (*volatile pointer)(int);

// first -> second -> third
NOINLINE int third(int n) { return n + cell_of_third; }
NOINLINE int second(int n) { return third(n + cell_of_second); }
NOINLINE int first(int n) { return second(n + cell_of_first); }

// A long way down: one activation each, however many steps.
static volatile int steps_even, steps_odd;
NOINLINE int is_odd(unsigned n);
NOINLINE int is_even(unsigned n) {
  steps_even++;
  return n == 0 ? 1 : is_odd(n - 1);
}
NOINLINE int is_odd(unsigned n) {
  steps_odd++;
  return n == 0 ? 0 : is_even(n - 1);
}

NOINLINE int through_pointer(int n) { return pointer(n + 1); }
NOINLINE int into_library(int n) { return library_link(n + 1); }

int main(void) {
  int total = 0;
  for (int i = 0; i < 4; i++)
    total += first(i);
  total += second(1);
  for (unsigned i = 0; i < 3; i++)
    total += is_even(1001 + i);
  pointer = third;
  for (int i = 0; i < 5; i++)
    total += through_pointer(i);
  for (int i = 0; i < 6; i++)
    total += into_library(i);
  printf("%d\n", total);
  return 0;
}
