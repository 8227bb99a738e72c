// User-level threads that a signal handler switches between, as a timer's would.
#include <signal.h>
#include <stdio.h>
#include <ucontext.h>

#define NOINLINE __attribute__((noinline, noclone))

enum { kThreads = 3, kRounds = 8 };

static ucontext_t contexts[kThreads];
static char stacks[kThreads][65536];
static int running, alive = kThreads;
static volatile long sink;

static void preempt(int number) {
  (void)number;
  const int from = running;
  running = (running + 1) % kThreads;
  if (alive == kThreads)
    swapcontext(&contexts[from], &contexts[running]);
}

static NOINLINE void work(int rounds) {
  for (int i = 0; i < rounds; i++)
    sink = i;
}

static NOINLINE void slice(int cost) {
  work(cost);
  raise(SIGUSR1); // somewhere in the middle
  work(cost);
}

static NOINLINE void user_thread(int cost) {
  for (int i = 0; i < kRounds; i++)
    slice(cost);
}

static void first(void) {
  user_thread(100);
  alive--; // the others stay where they are
}
static void second(void) { user_thread(1000); }
static NOINLINE void main_thread(void) { user_thread(10); }

int main(void) {
  struct sigaction action = {.sa_handler = preempt, .sa_flags = SA_NODEFER};
  sigaction(SIGUSR1, &action, NULL);
  for (int i = 1; i < kThreads; i++) {
    getcontext(&contexts[i]);
    contexts[i].uc_stack.ss_sp = stacks[i];
    contexts[i].uc_stack.ss_size = sizeof stacks[i];
    contexts[i].uc_link = &contexts[0];
    makecontext(&contexts[i], i == 1 ? first : second, 0);
  }
  main_thread();
  puts("done");
  return 0;
}
