/* Loops in functions whose symbols say more than the source: a piece, a copy, one with a version. Link it with
   -Wl,--version-script=FILE, where FILE is `V1 {};`. */
#include <stdio.h>

#define NOINLINE __attribute__((noinline, noclone))

static volatile long sink;

NOINLINE void piece(int n) __asm__("walk.part.0");
NOINLINE void piece(int n) {
  for (int i = 0; i < n; i++)
    sink += i;
}

NOINLINE void copy(int n) __asm__("gap.constprop.0");
NOINLINE void copy(int n) {
  for (int i = 0; i < n; i++)
    sink ^= i;
}

__asm__(".symver first_scan,scan@@V1");
NOINLINE void first_scan(int n) {
  for (int i = 0; i < n; i++)
    sink -= i;
}

int main(void) {
  for (int n = 10; n < 20; n++) {
    piece(n);
    copy(n);
    first_scan(n);
  }
  printf("%ld\n", sink);
  return 0;
}
