// Figure 3 of the aprof-trms paper: a file is read through one small buffer, and one of its cells
// is used after each read.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>

// In place: the C library's function would read state of its own.
static inline __attribute__((always_inline)) long read_in_place(int file, void* to, long bytes) {
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(SYS_read), "D"(file), "S"(to), "d"(bytes)
                   : "rcx", "r11", "memory");
  return result;
}

__attribute__((noinline, noipa)) long external_read(int file, int n) {
  static int buffer[2];
  long total = 0;
  for (int i = 0; i < n; i++) {
    if (read_in_place(file, buffer, sizeof buffer) != sizeof buffer)
      exit(1);
    total += *(volatile int*)buffer;
  }
  return total;
}

int main(void) {
  const int file = open("/dev/zero", O_RDONLY);
  long total = 0;
  for (int n = 50; n <= 1000; n += 50)
    total += external_read(file, n);
  printf("%ld\n", total);
  return 0;
}
