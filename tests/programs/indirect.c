// Jumps and calls whose target is computed: jump tables and computed goto, which stay within a
// routine, function pointers, a nested function behind a trampoline, variable frames.
#include <alloca.h>
#include <stdio.h>

#define NOINLINE __attribute__((noinline, noipa))

static volatile int cells[16], sink;

// A jump table, of which no entry is a routine.
NOINLINE int by_table(int n) {
  switch (n) {
  case 0: sink = 1; return cells[0];
  case 1: sink = 3; return cells[1];
  case 2: sink = 4; return cells[2] + cells[3];
  case 3: sink = 2; return cells[4] * 3;
  case 4: sink = 9; return cells[5] - cells[6];
  case 5: sink = 7; return cells[7];
  case 6: sink = 5; return cells[8] & cells[9];
  default: sink = 8; return 0;
  }
}

// An interpreter: `+` reads a cell, `-` too, `*` none.
NOINLINE int by_goto(const char* code) {
  static const void* const labels[] = {&&add, &&times, &&subtract, &&end};
  int value = 0;
#define NEXT goto* labels[*code == '+' ? 0 : *code == '*' ? 1 : *code == '-' ? 2 : 3]
  NEXT;
add:
  value += cells[0];
  code++;
  NEXT;
times:
  value *= 2;
  code++;
  NEXT;
subtract:
  value -= cells[1];
  code++;
  NEXT;
end:
  return value;
}

NOINLINE int leaf(int n) { return n + cells[10]; }
static int (*volatile pointer)(int) = leaf;
NOINLINE int by_pointer(int n) { return pointer(n) + 1; }

NOINLINE int apply(int (*function)(int), int n) { return function(n) + 1; }
#ifndef __clang__
NOINLINE int by_trampoline(int base) {
  volatile int local = base;
  NOINLINE int nested(int n) { return n + local; }
  return apply(nested, 1) + apply(nested, 2);
}
#else
static volatile int local_of_nested;
NOINLINE int nested(int n) { return n + local_of_nested; }
NOINLINE int by_trampoline(int base) {
  local_of_nested = base;
  return apply(nested, 1) + apply(nested, 2);
}
#endif

NOINLINE int fill(volatile int* block, int n) {
  for (int i = 0; i < n; i++)
    block[i] = i;
  return n;
}
NOINLINE int variable_frame(int n) {
  int total = 0;
  for (int i = 1; i <= 3; i++)
    total += fill(alloca((unsigned)n * sizeof(int)), n);
  return total;
}

int main(void) {
  int total = 0;
  for (int i = 0; i < 16; i++)
    cells[i] = i;
  for (int i = 0; i < 8; i++)
    total += by_table(i);
  for (int i = 0; i < 4; i++)
    total += by_goto("++*-");
  for (int i = 0; i < 5; i++)
    total += by_pointer(i);
  for (int i = 0; i < 6; i++)
    total += by_trampoline(i);
  for (int i = 0; i < 7; i++)
    total += variable_frame(100 * i);
  printf("%d\n", total);
  return 0;
}
