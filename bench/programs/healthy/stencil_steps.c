// Heat in a plate: many steps over one grid.
#include <stdio.h>
#include <string.h>

#define N 60

static double now[N][N], next[N][N];

static double step(void) {
  double change = 0;
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++) {
      next[i][j] = (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]) / 4;
      change += (next[i][j] - now[i][j]) * (next[i][j] - now[i][j]);
    }
  memcpy(now, next, sizeof now);
  return change;
}

int main(void) {
  for (int i = 0; i < N; i++) now[i][0] = next[i][0] = 100;
  int steps = 0;
  while (step() > 0.5 && steps < 300) steps++;
  printf("%d steps, %.3f\n", steps, now[N / 2][N / 2]);
}
