// Counts tilings of boards by a recursion that the compiler expands in itself.
// culprit: tilings
#include <stdio.h>

#ifdef REPAIRED
static long tilings(int length) {
  long last = 1, all = 1;
  for (int i = 1; i < length; i++) {
    long next = last + all;
    last = all;
    all = next;
  }
  return all;
}
#else
static long tilings(int length) { return length < 2 ? 1 : tilings(length - 1) + tilings(length - 2); } // CULPRIT
#endif

static long border(int length) {
  long colors = 0;
  for (int i = 0; i < 30 * length; i++) colors += i * i % 5;
  return colors;
}

int main(void) {
  long sum = 0;
  for (int length = 4; length <= 22; length++) sum += tilings(length) + border(length);
  printf("%ld\n", sum);
}
