/* Spawns the same again and again, forks, and does so again in both processes. */
#include <cilk/cilk.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noipa))

static volatile int sink;

NOINLINE static int leaf(int n) { return sink + n; }

NOINLINE static int spawning(int n) {
  int a = cilk_spawn leaf(n);
  int b = leaf(n + 1);
  cilk_sync;
  return a + b;
}

NOINLINE static void again(int times) {
  for (int i = 0; i < times; i++)
    sink = spawning(1);
}

int main(void) {
  again(100);
  const pid_t child = fork();
  again(child == 0 ? 30 : 40);
  if (child > 0)
    waitpid(child, NULL, 0);
  return 0;
}
