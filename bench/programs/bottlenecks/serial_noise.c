// KIND serial, NAMES add_noise: a picture is blurred in parallel, but its noise comes from one generator.
#include <stdio.h>
#include <stdlib.h>

enum { W = 160, H = 120, SIZE = W * H };

static unsigned state = 7;

static unsigned next(void) {
  for (int round = 0; round < 9; round++)
    state = (state ^ state << 5) * 2654435761u;
  return state >> 20;
}

static void add_noise(float *picture) {
#ifdef FIXED
#pragma omp parallel for
  for (int y = 0; y < H; y++) {
    unsigned own = y + 1;
    for (int x = 0; x < W; x++) {
      for (int round = 0; round < 9; round++)
        own = (own ^ own << 5) * 2654435761u;
      picture[y * W + x] += own >> 20;
    }
  }
#else
  for (int i = 0; i < SIZE; i++)
    picture[i] += next(); // CULPRIT
#endif
}

static void blur(const float *from, float *to) {
#pragma omp parallel for
  for (int y = 2; y < H - 2; y++)
    for (int x = 2; x < W - 2; x++) {
      float sum = 0;
      for (int v = -2; v <= 2; v++)
        for (int u = -2; u <= 2; u++)
          sum += from[(y + v) * W + x + u];
      to[y * W + x] = sum / 25;
    }
}

int main(void) {
  float *picture = calloc(SIZE, sizeof *picture), *blurred = calloc(SIZE, sizeof *picture);
  add_noise(picture);
  blur(picture, blurred);
  printf("%g\n", blurred[5 * W + 9]);
}
