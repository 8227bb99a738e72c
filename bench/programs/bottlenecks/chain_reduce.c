// KIND chain|serial, NAMES blend|main: frames are tasks, but each blends with the frame before, by a depend clause.
#include <stdio.h>
#include <stdlib.h>

enum { kFrames = 24, kPixels = 3000 };

static float frames[kFrames + 1][kPixels];

static void blend(const float* before, float* frame) {
  for (int i = 0; i < kPixels; i++)
    frame[i] = 0.7f * frame[i] + 0.3f * before[i];
}

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int f = 1; f <= kFrames; f++) {
#ifdef FIXED
#pragma omp task depend(out : frames[f])
    blend(frames[0], frames[f]);
#else
#pragma omp task depend(in : frames[f - 1]) depend(inout : frames[f]) // CULPRIT
    blend(frames[f - 1], frames[f]);
#endif
  }
  printf("%f\n", frames[kFrames][7]);
  return 0;
}
