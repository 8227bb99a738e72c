// KIND imbalance, NAMES analyse|shade|project: four sections, of which one has most to do.
#include <stdio.h>

static double results[4];

static void project(int n) {
  for (int i = 0; i < n; i++)
    results[0] += i * 0.5;
}

static void shade(int n) {
  double light = 1;
  for (int i = 0; i < n; i++)
    light = light * 0.999 + i % 5;
  results[1] = light;
}

static void sample(int n) {
  for (int i = 0; i < n; i++)
    results[3] += i * 0.125;
}

static void report(int n) {
  for (int i = 0; i < n; i++)
    results[2] -= i * 0.25;
}

static void analyse(void) {
#pragma omp parallel sections
  {
#pragma omp section
    project(40000);
#pragma omp section
#ifdef FIXED
    shade(20000);
#else
    shade(300000); // CULPRIT
#endif
#pragma omp section
    report(40000);
#pragma omp section
    sample(40000);
  }
}

int main(void) {
  analyse();
  printf("%g %g %g\n", results[0], results[1], results[2]);
}
