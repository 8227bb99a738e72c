// KIND grain, NAMES step|heat|main: a grid of tasks with dependences, of a few cells each.
#include <stdio.h>

#ifdef FIXED
#define TILE 256
#else
#define TILE 4
#endif
enum { kCells = 2048, kSteps = 4, kTiles = kCells / TILE };

static double grid[2][kCells + 2];

static void step(int now, int tile) {
  for (int i = tile * TILE + 1; i <= (tile + 1) * TILE; i++)
    grid[!now][i] = 0.25 * grid[now][i - 1] + 0.5 * grid[now][i] + 0.25 * grid[now][i + 1];
}

static void heat(void) {
  static char token[2][kTiles + 2];
  for (int t = 0; t < kSteps; t++)
    for (int tile = 0; tile < kTiles; tile++) {
      int now = t % 2;
#pragma omp task depend(in : token[now][tile], token[now][tile + 1], token[now][tile + 2]) depend(out : token[!now][tile + 1]) // CULPRIT
      step(now, tile);
    }
}

int main(void) {
  grid[0][kCells / 2] = 1000;
#pragma omp parallel
#pragma omp single
  heat();
  printf("%g\n", grid[0][kCells / 2]);
}
