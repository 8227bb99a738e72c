// KIND serial phase, NAMES update_centres: within one parallel region, one thread moves the centres.
#include <stdio.h>
#include <stdlib.h>

enum { kPoints = 6000, kCentres = 12, kRounds = 4 };

static double points[kPoints], centres[kCentres];
static int nearest[kPoints];

static void update_centres(void) {
  for (int c = 0; c < kCentres; c++) {
    double sum = 0;
    int count = 0;
    for (int i = 0; i < kPoints; i++) // CULPRIT
      if (nearest[i] == c) {
        sum += points[i];
        count++;
      }
    if (count)
      centres[c] = sum / count;
  }
}

static void assign(int i) {
  int best = 0;
  for (int c = 1; c < kCentres; c++)
    if ((points[i] - centres[c]) * (points[i] - centres[c]) < (points[i] - centres[best]) * (points[i] - centres[best]))
      best = c;
  nearest[i] = best;
}

static void cluster(void) {
#pragma omp parallel
  for (int round = 0; round < kRounds; round++) {
#pragma omp for schedule(dynamic, 200)
    for (int i = 0; i < kPoints; i++)
      assign(i);
#pragma omp single
    {
#ifdef FIXED
      centres[round] += points[round];
#else
      update_centres();
#endif
    }
  }
}

int main(void) {
  for (int i = 0; i < kPoints; i++)
    points[i] = (i * 7919) % 10007;
  for (int c = 0; c < kCentres; c++)
    centres[c] = c * 800;
  cluster();
  printf("%g\n", centres[3]);
}
