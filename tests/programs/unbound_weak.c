// Calls and jumps to a weak routine that no library has, through its linkage stub: address 0. The
// handler of the signal leaves by longjmp.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

#define NOINLINE __attribute__((noinline))

extern void absent(void) __attribute__((weak));

static sigjmp_buf before;

static void handler(int signal) {
  (void)signal;
  siglongjmp(before, 1);
}

NOINLINE static void calls(void) {
  absent();
  __asm__ volatile(""); // not a tail call
}

NOINLINE static void jumps(void) { absent(); }

NOINLINE static void after(void) { __asm__ volatile(""); }

int main(void) {
  signal(SIGSEGV, handler);
  for (volatile int i = 0; i < 6; i++) {
    if (sigsetjmp(before, 1) == 0)
      (i < 3 ? calls : jumps)();
    after();
  }
  puts("survived");
}
