// Ways out of and into routines other than call and return. `twice` is the yardstick: it is called
// a known number of times from each place, and every routine's calls and inclusive cost can be
// told from the source.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noipa))

static volatile int sink;
static jmp_buf back;
static sigjmp_buf signal_back;

NOINLINE void work(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

NOINLINE int recurse(int n) {
  sink = n;
  if (n == 0)
    return 0;
  const int below = recurse(n - 1);
  sink = n;
  return 1 + below;
}

NOINLINE void jump_out(int depth) {
  if (depth == 0)
    longjmp(back, 1);
  jump_out(depth - 1);
  sink = depth;
}

NOINLINE void longjmp_over_ten(void) {
  if (setjmp(back) == 0)
    jump_out(9);
  work(100);
}

NOINLINE int is_odd(unsigned n);
NOINLINE int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
NOINLINE int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

static int handled[64];
NOINLINE void handler(int number) {
  (void)number;
  work(1000);
  for (int i = 0; i < 64; i++)
    sink = handled[i];
}
NOINLINE void interrupted(void) {
  work(10);
  raise(SIGUSR1);
  work(10);
}
NOINLINE void jumping_handler(int number) {
  (void)number;
  siglongjmp(signal_back, 1);
}
NOINLINE void interrupted_for_good(void) {
  raise(SIGUSR2);
  work(5);
}
NOINLINE void leave_handler_by_jump(void) {
  if (sigsetjmp(signal_back, 1) == 0)
    interrupted_for_good();
  work(50);
}

NOINLINE void at_depth_exit(int depth) {
  if (depth == 0)
    exit(3);
  at_depth_exit(depth - 1);
  sink = depth;
}

int main(void) {
  sink = recurse(1000);
  for (int i = 0; i < 5; i++)
    longjmp_over_ten();
  sink = is_even(100001);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  sigaction(SIGUSR1, &action, NULL);
  interrupted();
  static char alternate[65536];
  const stack_t stack = {.ss_sp = alternate, .ss_size = sizeof alternate};
  sigaltstack(&stack, NULL);
  action.sa_handler = jumping_handler;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR2, &action, NULL);
  for (int i = 0; i < 3; i++)
    leave_handler_by_jump();
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    work(7);
    _exit(0);
  }
  waitpid(child, NULL, 0);
  at_depth_exit(20);
}
