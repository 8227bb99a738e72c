/* With -fsplit-stack, the prologue of a routine that calls code without split stacks calls
   __morestack_non_split: where the stack has room for that code, too, it returns behind the return
   instruction that follows the call; elsewhere the routine goes on in another piece of memory. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

NOINLINE static int sorted(int n) {
  int values[4] = {n, 3, 2, 1};
  qsort(values, 4, sizeof *values, ascending);
  return values[3];
}

NOINLINE int down(int n) {
  volatile char buffer[2000];
  buffer[0] = (char)n;
  const int most = sorted(n);
  return (n == 0 ? 0 : down(n - 1)) + buffer[0] + most;
}

NOINLINE long twenty(void) {
  long sum = 0;
  for (int i = 1; i <= 20; i++)
    sum += down(10 * i);
  return sum;
}

static void *thread(void *result) {
  *(long *)result = twenty();
  return result;
}

int main(void) {
  const long with_room = twenty();
  long result;
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 65536);
  pthread_t other;
  pthread_create(&other, &small, thread, &result);
  pthread_join(other, NULL);
  printf("%ld %ld\n", with_room, result);
  return 0;
}
