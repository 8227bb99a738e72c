// KIND lock, NAMES grid_lock|deposit|omp_lock|lock: particles are deposited in a grid that has one lock.
#include <omp.h>
#include <stdio.h>

enum { kParticles = 3000, kCells = 256 };

static omp_lock_t grid_lock;
static double grid[kCells];

static void deposit(double at, double charge) {
#ifndef FIXED
  omp_set_lock(&grid_lock); // CULPRIT
#endif
  double weights[16];
  for (int i = 0; i < 16; i++) {
    double w = at - (int)at;
    for (int k = 0; k < 12; k++)
      w = w * 0.9 + 0.1 * i;
    weights[i] = w * charge;
  }
#ifdef FIXED
  omp_set_lock(&grid_lock);
#endif
  for (int i = 0; i < 16; i++)
    grid[((int)at + i) % kCells] += weights[i];
  omp_unset_lock(&grid_lock);
}

int main(void) {
  omp_init_lock(&grid_lock);
#pragma omp parallel for schedule(dynamic, 50)
  for (int i = 0; i < kParticles; i++) {
    double x = i;
    for (int k = 0; k < 60; k++)
      x = x * 1.01 + 0.3;
    deposit(x > 0 ? (i * 7) % kCells + 0.25 : 0, 1.0);
  }
  printf("%g\n", grid[7]);
}
