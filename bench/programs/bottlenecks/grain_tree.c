// KIND grain, NAMES visit|walk: a task for each node of a tree.
#include <stdio.h>

enum { kDepth = 11, kCutOff = 8 };

static unsigned values[1 << kDepth];

static unsigned visit(int node, int depth) {
  unsigned left = 0, right = 0;
  for (int i = 0; i < 10; i++)
    values[node] = values[node] * 31 + i;
  if (depth == 1)
    return values[node];
#ifdef FIXED
  if (depth <= kCutOff)
    return visit(2 * node, depth - 1) + visit(2 * node + 1, depth - 1) + values[node];
#endif
#pragma omp task shared(left) // CULPRIT
  left = visit(2 * node, depth - 1);
#pragma omp task shared(right)
  right = visit(2 * node + 1, depth - 1);
#pragma omp taskwait
  return left + right + values[node];
}

static void walk(unsigned* sum) {
#pragma omp parallel
#pragma omp single
  *sum = visit(1, kDepth);
}

int main(void) {
  unsigned sum;
  walk(&sum);
  printf("%u\n", sum);
}
