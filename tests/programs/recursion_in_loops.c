// A routine that calls itself through another one, from its loop and from outside of it: what is
// called executes the loop within an execution of it, or not. And loops without calls, alone, in
// each other and one behind the other.
#define NOINLINE __attribute__((noinline, noipa))

static volatile int sum, two = 2, three = 3;

NOINLINE static void outer(int depth, int from_loop);

NOINLINE static void between(int depth) {
  sum++;
  outer(depth, 0);
  sum++;
}

NOINLINE static void outer(int depth, int from_loop) {
  for (int i = 0; i < two; i++) {
    sum++;
    if (depth > 0 && from_loop)
      between(depth - 1);
  }
  if (depth > 0 && !from_loop)
    between(depth - 1);
  sum++;
}

NOINLINE static void leaves(int n) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < three; k++)
      sum++;
    sum++;
    for (int k = 0; k < i % 3; k++)
      sum++;
    for (int k = 0; k < two; k++)
      sum++;
  }
}

int main(void) {
  for (int i = 0; i < 50; i++)
    outer(1, 0);
  for (int i = 0; i < 50; i++)
    outer(1, 1);
  for (int i = 0; i < 300; i++)
    leaves(i % 7);
  return 0;
}
