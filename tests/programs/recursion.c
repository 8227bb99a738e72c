// Recursion among three routines, as deep as the argument says; then longjmp in loops: up from
// every depth, and within one routine. Each level reads one cell, which all levels share.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline, noipa))

static volatile int cell = 1, sink;

NOINLINE long red(long depth);
NOINLINE long green(long depth);
NOINLINE long blue(long depth);

#define LEVEL(name, next)                                                                          \
  long name(long depth) {                                                                          \
    const long below = depth == 0 ? 0 : next(depth - 1);                                           \
    return below + cell;                                                                           \
  }
LEVEL(red, green)
LEVEL(green, blue)
LEVEL(blue, red)

NOINLINE void after(void) { sink = 2; }

static jmp_buf back;
NOINLINE void down(int depth) {
  if (depth == 0)
    longjmp(back, 1);
  down(depth - 1);
  sink = depth;
}
NOINLINE int up_from_every_depth(int deepest) {
  volatile int depth = 0;
  setjmp(back);
  after();
  if (depth < deepest)
    down(depth++);
  return depth;
}

// The second of two nested jumps goes over the first's routine.
static jmp_buf outer, inner;
NOINLINE void jump_twice(int n) {
  if (n & 1)
    longjmp(inner, 1);
  longjmp(outer, 1);
}
NOINLINE void inner_place(int n) {
  if (setjmp(inner) == 0)
    jump_twice(n);
  after();
}
NOINLINE void outer_place(int n) {
  if (setjmp(outer) == 0)
    inner_place(n);
  after();
}

NOINLINE int within_one_routine(int rounds) {
  jmp_buf here;
  volatile int round = 0;
  setjmp(here);
  if (++round < rounds)
    longjmp(here, 1);
  return round;
}

int main(int argc, char** argv) {
  const long depth = argc > 1 ? atol(argv[1]) : 1000;
  long total = red(depth);
  total += up_from_every_depth(20);
  for (int i = 0; i < 8; i++)
    outer_place(i);
  total += within_one_routine(100);
  printf("%ld\n", total);
  return 0;
}
