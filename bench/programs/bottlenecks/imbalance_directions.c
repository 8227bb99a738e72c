// KIND imbalance, NAMES route|search|main: four searches are tasks of one thread's, of which one goes much deeper.
#include <stdio.h>

static unsigned found[4];

static unsigned search(unsigned from, int depth) {
  if (depth == 0)
    return from;
  return search(from * 69069 + 1, depth - 1) ^ search(from * 69069 + 3, depth - 1);
}

static void route(void) {
#pragma omp parallel
#pragma omp single
  for (int direction = 0; direction < 4; direction++) {
#ifdef FIXED
    int depth = 11;
#else
    int depth = direction == 2 ? 14 : 10;
#endif
#pragma omp task firstprivate(direction)
    found[direction] = search(direction, depth); // CULPRIT
  }
}

int main(void) {
  route();
  printf("%u\n", found[0]);
}
