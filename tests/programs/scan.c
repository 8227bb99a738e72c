// Input sizes that can be told by reading the source: scans of arrays of known length, of fresh
// anonymous memory, and of a mapped file.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noipa))

NOINLINE long sum(const int* a, int n) {
  long total = 0;
  for (int i = 0; i < n; i++)
    total += a[i];
  return total;
}

NOINLINE long sum_fresh(const int* a, int n) {
  long total = 1;
  for (int i = 0; i < n; i++)
    total += a[i];
  return total;
}

NOINLINE long sum_mapped(const int* a, int n) {
  long total = 2;
  for (int i = 0; i < n; i++)
    total += a[i];
  return total;
}

NOINLINE void fill(int* a, int n) {
  for (int i = 0; i < n; i++)
    a[i] = i;
}

NOINLINE long fill_and_sum(int* a, int n) {
  fill(a, n);
  return sum(a, n);
}

NOINLINE void touch_nothing(void) { __asm__ volatile(""); }

int main(int argc, char** argv) {
  (void)argc;
  long total = 0;
  int* a = malloc(1000 * sizeof *a);
  fill(a, 1000);
  for (int n = 100; n <= 1000; n += 100)
    total += sum(a, n);
  total += fill_and_sum(a, 700);
  touch_nothing();

  const size_t bytes = 1 << 20;
  int* fresh = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  total += sum_fresh(fresh, 5000);
  memset(fresh, 1, 20000); // unmapped and mapped again, it is fresh again
  munmap(fresh, bytes);
  fresh = mmap(fresh, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  total += sum_fresh(fresh, 6000);

  const int file = open(argv[0], O_RDONLY);
  const int* mapped = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE, file, 0);
  total += sum_mapped(mapped, 2000);
  printf("%ld\n", total & 0);
  return 0;
}
