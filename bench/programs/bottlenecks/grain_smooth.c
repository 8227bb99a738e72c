// KIND grain, NAMES smooth|main: a signal is smoothed by a task loop of as many tasks as it has samples.
#include <stdio.h>

enum { kSamples = 9000 };

static float signal[kSamples + 2], smoothed[kSamples + 2];

#ifdef FIXED
#define TASKS 12
#else
#define TASKS kSamples
#endif

static void smooth(const float *from, float *to) {
#pragma omp taskloop num_tasks(TASKS)
  for (int i = 1; i <= kSamples; i++)
    to[i] = 0.25f * from[i - 1] + 0.5f * from[i] + 0.25f * from[i + 1]; // CULPRIT
}

int main(void) {
  for (int i = 0; i < kSamples; i++)
    signal[i + 1] = i % 97;
#pragma omp parallel
#pragma omp single
  for (int pass = 0; pass < 2; pass++) {
    smooth(signal, smoothed);
    smooth(smoothed, signal);
  }
  printf("%g\n", signal[100]);
}
