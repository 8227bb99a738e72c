// KIND imbalance, NAMES render|main: lines of a fractal, of which those in the middle take longest, divided evenly.
#include <stdio.h>

enum { kLines = 64, kWidth = 64, kMost = 60 };

#ifdef FIXED
#define SCHEDULE dynamic, 1
#else
#define SCHEDULE static
#endif

static unsigned short picture[kLines][kWidth];

static int escape(double x, double y) {
  double a = 0, b = 0;
  int n = 0;
  for (; n < kMost && a * a + b * b < 4; n++) {
    const double next = a * a - b * b + x;
    b = 2 * a * b + y;
    a = next;
  }
  return n;
}

static void render(void) {
#pragma omp parallel for schedule(SCHEDULE)
  for (int line = 0; line < kLines; line++) // CULPRIT
    for (int i = 0; i < kWidth; i++)
      picture[line][i] = escape(i * 3.0 / kWidth - 2, line * 5.0 / kLines - 2.5);
}

int main(void) {
  render();
  printf("%d\n", picture[32][20]);
}
