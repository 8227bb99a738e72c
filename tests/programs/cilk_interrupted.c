// 8 spawned children, each of which a signal's handler interrupts in its middle; with `timer`, a
// timer's wherever they are.
#include <cilk/cilk.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

static volatile sig_atomic_t ticks;
static volatile long sum;

__attribute__((noinline)) void work(long rounds) {
  for (long i = 0; i < rounds; i++)
    sum += i;
}

__attribute__((noinline)) void handle(long rounds) {
  for (long i = 0; i < rounds; i++)
    sum += i;
}

static void tick(int number) {
  (void)number;
  ticks++;
  handle(1000);
}

__attribute__((noinline)) void raising(void) {
  work(10000);
  raise(SIGUSR1);
  work(10000);
}

static void set_timer(long microseconds) {
  struct itimerval each = {{0, microseconds}, {0, microseconds}};
  setitimer(ITIMER_REAL, &each, 0);
}

int main(int count, char** arguments) {
  const int timer = count > 1 && strcmp(arguments[1], "timer") == 0;
  signal(timer ? SIGALRM : SIGUSR1, tick);
  if (timer)
    set_timer(1000);
  for (int i = 0; i < 8; i++) {
    if (timer)
      cilk_spawn work(2000000);
    else
      cilk_spawn raising();
  }
  cilk_sync;
  if (timer)
    set_timer(0);
  return timer ? ticks < 2 : ticks != 8;
}
