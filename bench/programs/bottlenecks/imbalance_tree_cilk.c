// KIND imbalance, NAMES search|main|spread: of four spawned searches, one has a far larger tree.
#include <cilk/cilk.h>
#include <stdio.h>

static int search(int depth, unsigned state) {
  int found = state % 3 == 0;
  for (int move = 0; move < 3 && depth; move++) // CULPRIT
    found += search(depth - 1, state * 1664525 + move);
  return found;
}

int main(void) {
#ifdef FIXED
  const int depths[4] = {9, 9, 9, 9};
#else
  const int depths[4] = {7, 7, 10, 7};
#endif
  int found[4];
  for (int i = 0; i < 4; i++)
    found[i] = cilk_spawn search(depths[i], i);
  cilk_sync;
  printf("%d\n", found[0] + found[1] + found[2] + found[3]);
}
