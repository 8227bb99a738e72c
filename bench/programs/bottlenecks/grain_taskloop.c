// KIND grain, NAMES blend|main: a task loop whose tasks have one iteration each.
#include <stdio.h>

enum { kPixels = 12000 };

static unsigned char front[kPixels], back[kPixels], out[kPixels];

#ifdef FIXED
#define GRAIN 1500
#else
#define GRAIN 1
#endif

static void blend(int alpha) {
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(GRAIN)
  for (int i = 0; i < kPixels; i++)
    out[i] = (front[i] * alpha + back[i] * (255 - alpha)) / 255; // CULPRIT
}

int main(void) {
  for (int i = 0; i < kPixels; i++)
    front[i] = i, back[i] = i * 3;
  for (int alpha = 50; alpha < 250; alpha += 100)
    blend(alpha);
  printf("%d\n", out[77]);
}
