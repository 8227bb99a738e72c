// KIND chain|serial|lock, NAMES write_rows|emit|main: a loop whose ordered part has nearly all of the work.
#include <stdio.h>

enum { kRows = 60 };

static unsigned sum;

static void emit(unsigned row) {
  for (int i = 0; i < 5000; i++) // CULPRIT
    sum = sum * 31 + row + i;
}

static unsigned prepare(unsigned row) {
  for (int i = 0; i < 1000; i++)
    row = row * 69069 + 1;
  return row;
}

static void write_rows(void) {
#pragma omp parallel for ordered schedule(dynamic)
  for (int row = 0; row < kRows; row++) {
    unsigned x = prepare(row);
#ifdef FIXED
    for (int i = 0; i < 5000; i++)
      x = x * 31 + row + i;
#endif
#pragma omp ordered
    {
#ifdef FIXED
      sum += x;
#else
      emit(x);
#endif
    }
  }
}

int main(void) {
  write_rows();
  printf("%u\n", sum);
}
