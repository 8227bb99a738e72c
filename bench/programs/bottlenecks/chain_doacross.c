// KIND chain|serial, NAMES smooth|main: a doacross loop whose iterations need the whole of the one before.
#include <stdio.h>

enum { kRows = 64, kColumns = 300 };
static float image[kRows + 1][kColumns + 2], out[kRows + 1][kColumns + 2];

static void smooth(void) {
#ifdef FIXED
#pragma omp parallel for schedule(static, 1)
  for (int y = 1; y <= kRows; y++)
    for (int x = 1; x <= kColumns; x++)
      for (int k = 0; k < 6; k++)
        out[y][x] = 0.25f * (image[y - 1][x] + 2 * image[y][x] + image[y][x - 1]) + k;
#else
#pragma omp parallel for ordered(1) schedule(static, 1)
  for (int y = 1; y <= kRows; y++) {
#pragma omp ordered depend(sink : y - 1)
    for (int x = 1; x <= kColumns; x++) // CULPRIT
      for (int k = 0; k < 6; k++)
        out[y][x] = 0.25f * (out[y - 1][x] + 2 * image[y][x] + out[y][x - 1]) + k;
#pragma omp ordered depend(source)
  }
#endif
}

int main(void) {
  for (int y = 0; y <= kRows; y++)
    image[y][7] = y;
  smooth();
  printf("%g\n", out[kRows][9]);
}
