// takeuchi X Y Z: nothing but calls: Takeuchi's function, four calls and no memory of its own.
#include <stdio.h>
#include <stdlib.h>

static __attribute__((noinline, noclone, optimize("no-optimize-sibling-calls"))) int
takeuchi(int x, int y, int z) {
  if (y >= x)
    return z;
  return takeuchi(takeuchi(x - 1, y, z), takeuchi(y - 1, z, x), takeuchi(z - 1, x, y));
}

int main(int argc, char** argv) {
  if (argc != 4)
    return 2;
  printf("%d\n", takeuchi(atoi(argv[1]), atoi(argv[2]), atoi(argv[3])));
  return 0;
}
