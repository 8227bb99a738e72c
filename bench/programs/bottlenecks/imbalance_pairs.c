// KIND imbalance, NAMES pairs|forces|main: each thread gets a block of bodies i, and pairs them with all j > i.
#include <math.h>
#include <pthread.h>
#include <stdio.h>

#define N 640
#define T 4
static double x[N], f[T][N];
struct block {
  int id, first, last, step;
};

static void forces(int i, double* f) {
  for (int j = i + 1; j < N; j++) {
    double d = x[i] - x[j], g = d / (d * d * fabs(d) + .1);
    f[i] += g;
    f[j] -= g;
  }
}

static void* pairs(void* v) {
  struct block* b = v;
  for (int i = b->first; i < b->last; i += b->step)
    forces(i, f[b->id]); // CULPRIT
  return 0;
}

int main(void) {
  for (int i = 0; i < N; i++)
    x[i] = (i * 37 % 101) * .25;
  for (int step = 0; step < 3; step++) {
    pthread_t t[T];
    struct block b[T];
    for (int k = 0; k < T; k++) {
#ifdef FIXED
      b[k] = (struct block){k, k, N, T};
#else
      b[k] = (struct block){k, k * N / T, (k + 1) * N / T, 1};
#endif
      pthread_create(&t[k], 0, pairs, &b[k]);
    }
    for (int k = 0; k < T; k++)
      pthread_join(t[k], 0);
  }
  printf("%g\n", f[0][1] + f[3][9]);
}
