// The scenario of the paper's §3, "Impact of input size estimation on asymptotic trends":
// activation r_i reads i times, of which ceil(i/2) are first-accesses and floor(i/2) induced
// first-accesses.
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { kActivations = 100 };

static int cells[kActivations];
static volatile long sink;

// pread(2) without a call, so that nothing but the cells is r's input.
static inline void store_by_kernel(int file, int* cell) {
  long result;
  register long offset __asm__("r10") = 0;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "0"(SYS_pread64), "D"(file), "S"(cell), "d"(sizeof *cell), "r"(offset)
                   : "rcx", "r11", "memory");
  if (result != sizeof *cell)
    abort();
}

static __attribute__((noinline, noclone)) void r(int file, int i) {
  long sum = 0;
  for (int k = 0; k < i; k++) {
    if (k % 2 == 1)
      store_by_kernel(file, &cells[k / 2]);
    sum += *(volatile int*)&cells[k / 2];
  }
  sink = sum;
}

int main(int argc, char** argv) {
  FILE* file = fopen(argv[argc - 1], "rb");
  if (file == NULL)
    return 1;
  for (int i = 1; i <= kActivations; i++)
    r(fileno(file), i);
  return 0;
}
