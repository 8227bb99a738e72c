// Tail calls: in a chain, by pointer, through a linkage stub, conditional, in cycles and in a
// recursion. Optimised, each is a jump.
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline, noipa))

static volatile int sink;

NOINLINE void work(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

NOINLINE int third(int n) {
  work(n);
  return n;
}
NOINLINE int second(int n) { return third(n + 1); }
NOINLINE int first(int n) { return second(n + 1); }

// One instruction, just like a linkage stub's: a jump through memory.
int (*pointer)(int);
NOINLINE int by_pointer(int n) { return pointer(n); }

NOINLINE int through_stub(int n) { return abs(n); }

NOINLINE int either(int n) { return n % 2 == 0 ? first(n) : by_pointer(n); }

// The compiler makes a loop of it.
NOINLINE int loop(int n) {
  sink = n;
  return n == 0 ? 0 : loop(n - 1);
}

NOINLINE int cycle_b(int n);
NOINLINE int cycle_c(int n);
NOINLINE int cycle_a(int n) { return n == 0 ? 0 : cycle_b(n - 1); }
NOINLINE int cycle_b(int n) { return n == 0 ? 1 : cycle_c(n - 1); }
NOINLINE int cycle_c(int n) { return n == 0 ? 2 : cycle_a(n - 1); }

NOINLINE int down(int n);
NOINLINE int step(int n) { return down(n - 1); }
NOINLINE int down(int n) {
  sink = n;
  const int below = n == 0 ? 0 : step(n);
  sink = n;
  return below + 1;
}

int main(void) {
  int total = 0;
  pointer = third;
  total += by_pointer(1);
  for (int i = 0; i < 10; i++)
    total += either(i) + through_stub(-i);
  total += loop(50);
  for (int i = 0; i < 3; i++)
    total += cycle_a(30);
  total += down(20);
  printf("%d\n", total);
  return 0;
}
