// cilk_branches CASES: 10 units beside 10 in each of so many cases. Calls that are alike but for
// their branch stay calls of their own.
#include <cilk/cilk.h>
#include <stdlib.h>

static volatile long sum;

static int work(long units) {
  for (long i = 0; i < 20000 * units; i++)
    sum = sum + i;
  return 1;
}

static int spawn_in_branch(int which) {
  int x;
  if (which)
    x = cilk_spawn work(10);
  else
    x = cilk_spawn work(10);
  work(10);
  cilk_sync;
  return x;
}

static void spawn_in_case(int which) {
  switch (which) {
  case 0: cilk_spawn work(10); break;
  case 1: cilk_spawn work(10); break;
  default: break;
  }
  work(10);
}

int main(int argc, char** argv) {
  if (argc != 2)
    return 2;
  int done = 0;
  for (int i = 0; i < atoi(argv[1]); i++) {
    done += spawn_in_branch(i % 2);
    spawn_in_case(i % 2);
  }
  return done == 0;
}
