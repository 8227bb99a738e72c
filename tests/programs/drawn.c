// A loop that is inlined into main, and needs a constant again in each iteration: gcc takes that
// from where main begins.
#include <stdio.h>

enum { N = 500 };

static unsigned seed = 1;
static unsigned values[N];

static unsigned next(void) {
  for (int i = 0; i < 12; i++)
    seed = seed * 1664525 + 1013904223;
  return seed >> 8;
}

static void draw(unsigned *to) {
  for (int i = 0; i < N; i++)
    to[i] = next();
}

int main(int argc, char **argv) {
  if (argc > 1)
    for (int i = 0; i < 3; i++)
      draw(values);
  else
    draw(values);
  printf("%u\n", values[7]);
}
