// Routines that are chosen at run time (IFUNC), called through the procedure linkage table: one of
// the program's own and two of the C library. All calls are alike, also the first.
#include <stdio.h>
#include <string.h>

#define NOINLINE __attribute__((noinline, noipa))

static volatile int cells[100];

int chosen(void) {
  int total = 0;
  for (int i = 0; i < 100; i++)
    total += cells[i];
  return total;
}
static int (*choose(void))(void) { return chosen; }
int resolved(void) __attribute__((ifunc("choose")));

NOINLINE int call_resolved(int n) { return resolved() + n; }
NOINLINE size_t call_strlen(const char* text) { return strlen(text) + 1; }
NOINLINE char* call_memcpy(char* to, const char* from) { return (char*)memcpy(to, from, 200) + 1; }

int main(void) {
  static char from[200] __attribute__((aligned(64))), to[200] __attribute__((aligned(64)));
  long total = 0;
  memset(from, 'x', 100);
  for (int i = 0; i < 5; i++) {
    total += call_resolved(i);
    total += (long)call_strlen(from);
    total += *call_memcpy(to, from);
  }
  printf("%ld\n", total);
  return 0;
}
