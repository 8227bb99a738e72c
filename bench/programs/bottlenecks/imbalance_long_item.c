// KIND imbalance, NAMES render|main: a dynamic loop whose last tile takes as long as most others together.
#include <stdio.h>

enum { kTiles = 64 };

static int render(int tile) {
  int count = 0;
#ifdef FIXED
  const int samples = 3000;
#else
  const int samples = tile == kTiles - 1 ? 120000 : 1200;
#endif
  for (int i = 0; i < samples; i++) { // CULPRIT
    double x = 0, y = 0;
    for (int k = 0; k < 4; k++) {
      const double t = x * x - y * y + tile * 0.01;
      y = 2 * x * y + i * 1e-5;
      x = t;
    }
    count += x * x + y * y < 4;
  }
  return count;
}

int main(void) {
  int total = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : total)
  for (int tile = 0; tile < kTiles; tile++)
    total += render(tile);
  printf("%d\n", total);
}
