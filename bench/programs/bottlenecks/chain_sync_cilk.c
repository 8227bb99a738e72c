// KIND chain|serial, NAMES transform|main: each spawned call is waited for before the next one.
#include <cilk/cilk.h>
#include <stdio.h>

enum { kBlocks = 16, kSize = 1500 };

static int data[kBlocks][kSize];

static void transform(int *block) {
  for (int pass = 0; pass < 4; pass++)
    for (int i = 1; i < kSize; i++)
      block[i] = block[i] * 5 + block[i - 1];
}

int main(void) {
  for (int b = 0; b < kBlocks; b++) {
    cilk_spawn transform(data[b]); // CULPRIT
#ifndef FIXED
    cilk_sync;
#endif
  }
  cilk_sync;
  printf("%d\n", data[3][7]);
}
