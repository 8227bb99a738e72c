// Memory that the program asks for above 128 GiB, where Valgrind itself never puts anything: by a
// hint, as Go's run-time library does, and by a fixed address.
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

__attribute__((noinline, noipa)) int sum(volatile int* values, int n) {
  int total = 0;
  for (int i = 0; i < n; i++)
    total += values[i];
  return total;
}

int main(void) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS;
  int* hinted = mmap((void*)0xC000000000, 1 << 20, PROT_READ | PROT_WRITE, flags, -1, 0);
  int* fixed =
      mmap((void*)0x7F0000000000, 1 << 20, PROT_READ | PROT_WRITE, flags | MAP_FIXED, -1, 0);
  int total = 0, ends[2];
  for (int i = 0; i < 1000; i++)
    hinted[i] = fixed[i] = i;
  total += sum(hinted, 100) + sum(fixed, 200);
  // What the kernel stores there.
  if (pipe(ends) != 0 || write(ends[1], hinted, 1200) != 1200 || read(ends[0], fixed, 1200) != 1200)
    return 1;
  total += sum(fixed, 300);
  printf("%d %d\n", total, hinted == (int*)0xC000000000);
  return 0;
}
