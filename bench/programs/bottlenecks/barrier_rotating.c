// KIND barrier|imbalance, NAMES wave|main: a loop with a static schedule in each step, whose heavy part moves.
#include <stdio.h>

enum { kCells = 256, kSteps = 24 };

static double cells[kCells];

#ifdef FIXED
#define DIVIDED schedule(dynamic, 4)
#else
#define DIVIDED schedule(static)
#endif

static void burn(int i, int front) {
  const int distance = (i - front + kCells) % kCells, rounds = distance < kCells / 4 ? 400 : 40;
  for (int k = 0; k < rounds; k++)
    cells[i] = cells[i] * 0.99 + 0.01 * k;
}

static void wave(int steps) {
  for (int step = 0; step < steps; step++) {
#pragma omp parallel for DIVIDED
    for (int i = 0; i < kCells; i++) // CULPRIT
      burn(i, step * 64 % kCells);
  }
}

int main(void) {
  wave(kSteps);
  printf("%g\n", cells[5]);
}
