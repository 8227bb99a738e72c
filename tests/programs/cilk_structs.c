// cilk_structs CHILDREN: so many at once, of 10 units each. What they return compilers copy, clang
// by a call of memcpy where it is large.
#include <cilk/cilk.h>
#include <stdlib.h>
#include <string.h>

struct large {
  long numbers[400];
};
static struct large results[8];
char from[1 << 20], to[1 << 20], also[1 << 20];
static volatile long sum;

static struct large work(long units) {
  struct large result = {{units}};
  for (long i = 0; i < 20000 * units; i++)
    sum = sum + i;
  return result;
}

static long length_of(const void* memory) { return memory == from ? sizeof from : 0; }

int main(int argc, char** argv) {
  if (argc != 2)
    return 2;
  const int children = atoi(argv[1]);
  for (int i = 0; i < children; i++)
    results[i] = cilk_spawn_as(struct large) work(10);
  cilk_sync;
  if (children == 0) { // the copy is the child
    cilk_spawn memcpy(to, from, length_of(from));
    memcpy(also, from, sizeof also);
    cilk_sync;
  }
  return children > 0 && results[children - 1].numbers[0] != 10;
}
