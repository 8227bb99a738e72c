/* Calls whose number, callers and contexts are known: see tests/tool/test_calls.py. Each routine
   counts in a variable of its own, so that none is alike another or inlined. With two arguments there
   are no threads, so that runs are alike. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUTINE __attribute__((noinline, noclone))

volatile long ticks[20];

ROUTINE void leaf(void) { ticks[0]++; }

/* Recursion: 1 + 2 + 4 + 8 calls for n = 3; each leaf from the innermost. */
ROUTINE void tree(int n) {
  ticks[1]++;
  if (n == 0)
    leaf();
  else {
    tree(n - 1);
    tree(n - 1);
    ticks[1]++;
  }
}

/* Mutual recursion of three, and a leaf from each. */
ROUTINE void red(int n);
ROUTINE void blue(int n) {
  ticks[4]++;
  leaf();
  if (n > 0)
    red(n - 1);
  ticks[4]++;
}
ROUTINE void green(int n) {
  ticks[3]++;
  leaf();
  if (n > 0)
    blue(n - 1);
  ticks[3]++;
}
ROUTINE void red(int n) {
  ticks[2]++;
  leaf();
  if (n > 0)
    green(n - 1);
  ticks[2]++;
}

/* Function pointers. */
ROUTINE void add(void) { ticks[5]++; }
ROUTINE void subtract(void) { ticks[6]--; }
void (*volatile operations[2])(void) = {add, subtract};
ROUTINE void apply(int which) {
  operations[which]();
  ticks[7]++;
}

/* A tail call: the callee's caller is the routine that jumped. */
ROUTINE int end_of_chain(int n) { return n + (int)ticks[0]; }
ROUTINE int chain(int n) {
  ticks[8]++;
  return end_of_chain(n + 1);
}

/* A jump out of three activations, which ends them. */
static jmp_buf place;
ROUTINE void down(int n) {
  ticks[9]++;
  if (n == 0)
    longjmp(place, 1);
  down(n - 1);
  ticks[9]++;
}
ROUTINE void catches(void) {
  if (setjmp(place) == 0)
    down(2);
  leaf();
}

/* A handler is called by nobody. */
ROUTINE void handled(void) { ticks[10]++; }
ROUTINE void handler(int number) {
  (void)number;
  handled();
  ticks[11]++;
}

ROUTINE void *work(void *argument) {
  for (long i = 0; i < (long)argument; i++)
    leaf();
  tree(1);
  return NULL;
}

/* Pending at the end. */
ROUTINE void leave(int n) {
  ticks[12]++;
  if (n == 0)
    exit(0);
  leave(n - 1);
  ticks[12]++;
}

int main(int argc, char **argv) {
  tree(3);
  red(argc > 1 ? atoi(argv[1]) : 7);
  for (int i = 0; i < 5; i++)
    apply(i % 2);
  for (int i = 0; i < 4; i++)
    ticks[13] += chain(i);
  for (int i = 0; i < 2; i++)
    catches();
  signal(SIGUSR1, handler);
  for (int i = 0; i < 3; i++)
    raise(SIGUSR1);
  pthread_t threads[2];
  for (long i = 0; i < 2 && argc < 3; i++)
    pthread_create(&threads[i], NULL, work, (void *)(10 * (i + 1)));
  for (int i = 0; i < 2 && argc < 3; i++)
    pthread_join(threads[i], NULL);
  leave(2);
  return 1;
}
