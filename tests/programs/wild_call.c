// Calls the address that is its argument, where there is no code. With a second argument it handles
// the signal, leaves the handler by longjmp, and calls after() `rounds` times.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static sigjmp_buf before;

static void handler(int signal) {
  (void)signal;
  siglongjmp(before, 1);
}

__attribute__((noinline)) static void after(void) { __asm__ volatile(""); }

__attribute__((noinline)) static void call(unsigned long address) {
  ((void (*)(void))address)();
  __asm__ volatile(""); // not a tail call
}

int main(int argc, char** argv) {
  const unsigned long address = strtoul(argv[1], NULL, 0);
  if (argc > 2) {
    const int rounds = atoi(argv[2]);
    signal(SIGSEGV, handler);
    for (volatile int i = 0; i < rounds; i++) {
      if (sigsetjmp(before, 1) == 0)
        call(address);
      after();
    }
    puts("survived");
  } else {
    call(address);
  }
}
