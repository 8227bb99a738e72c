// A library with one function, NAME, that reads CELLS cells.
__attribute__((noinline)) static int helper(const int* cells) {
  int total = 0;
  for (int i = 0; i < CELLS; i++)
    total += ((const volatile int*)cells)[i];
  return total;
}

int NAME(const int* cells) { return helper(cells) + 1; }
