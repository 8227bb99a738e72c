// Formats numbers by a function that flushes what was put off, which formats that by the same function, once each.
#include <stdio.h>

static unsigned checksum;

static void flush(int pending);

__attribute__((noinline)) static void emit(int number, int pending) {
  for (unsigned rest = (unsigned)number; rest; rest /= 10) checksum = checksum * 31 + rest % 10;
  if (pending) flush(pending);
}

__attribute__((noinline)) static void flush(int pending) {
  for (int i = 0; i < pending; i++) emit(1000000 + i, 0);
}

int main(void) {
  emit(1, 20000);
  printf("%u\n", checksum);
}
