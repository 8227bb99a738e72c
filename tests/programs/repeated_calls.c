/* repeated_calls N: loops that do nothing but call. */
#include <stdlib.h>

__attribute__((noinline)) static int leaf(int x) {
  __asm__ volatile("" : "+r"(x));
  return x + 1;
}

__attribute__((noinline)) static int at_times_no_leaf(int x) {
  __asm__ volatile("" : "+r"(x));
  return x % 3 ? x : leaf(x) + 1;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 30, sum = 0;
  for (int i = 0; i < n; ++i)
    sum += leaf(i);
  for (int i = 0; i < n; ++i) {
    sum += leaf(i);
    sum -= leaf(i);
  }
  for (int i = 0; i < n; ++i)
    sum += at_times_no_leaf(i);
  return sum < 0;
}
