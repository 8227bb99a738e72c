// KIND barrier|imbalance, NAMES search|expand|main: levels of a search, each a static loop over a queue; hard states gather somewhere else each time.
#include <stdio.h>

enum { kLevels = 20, kStates = 128 };
static unsigned states[kStates];

#ifdef FIXED
#define DIVIDED schedule(dynamic, 2)
#else
#define DIVIDED
#endif

static unsigned expand(unsigned state, int effort) {
  for (int i = 0; i < effort; i++)
    state = state * 69069 + 1;
  return state;
}

static void search(void) {
#pragma omp parallel
  for (int level = 0; level < kLevels; level++) {
    int hard = level * 37 % kStates;
#pragma omp for DIVIDED
    for (int s = 0; s < kStates; s++) // CULPRIT
      states[s] = expand(states[s], (s - hard + kStates) % kStates < 32 ? 900 : 100);
  }
}

int main(void) {
  search();
  printf("%u\n", states[7]);
}
