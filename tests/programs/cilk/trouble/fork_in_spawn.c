/* Forks in a spawned call, within a scope, within the second of three iterations of a loop. */
#include <cilk/cilk.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noipa))

static volatile int sink;

NOINLINE static void leaf(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

NOINLINE static void fork_here(void) {
  leaf(1000);
  const pid_t child = fork();
  if (child > 0)
    waitpid(child, NULL, 0);
  leaf(1000);
}

int main(void) {
  cilk_for (int i = 0; i < 3; i++) {
    cilk_scope {
      leaf(1000);
      if (i == 1)
        cilk_spawn fork_here();
      else
        cilk_spawn leaf(1000);
      leaf(1000);
    }
  }
  return 0;
}
