// Signal handlers: where they run, what they interrupt, how they leave. `work` is the yardstick: n
// rounds, no input. The program prints how often handlers ran whose number depends on time.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noipa))

static volatile int sink;

NOINLINE void work(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

static void handle(int number, void (*handler)(int), int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigaction(number, &action, NULL);
}

// Nested: the handler of SIGUSR1 raises SIGUSR2. Each reads cells of its own.
static volatile int cells[100];
NOINLINE void inner_handler(int number) {
  (void)number;
  work(1000);
  for (int i = 0; i < 30; i++)
    sink = cells[i];
}
NOINLINE void outer_handler(int number) {
  (void)number;
  raise(SIGUSR2);
  work(100);
  for (int i = 50; i < 70; i++)
    sink = cells[i];
}
NOINLINE void nest(void) {
  work(10);
  raise(SIGUSR1);
  work(10);
}
NOINLINE void nested(void) {
  handle(SIGUSR1, outer_handler, 0);
  handle(SIGUSR2, inner_handler, 0);
  nest();
  handle(SIGUSR1, outer_handler, SA_ONSTACK); // both on the other stack
  handle(SIGUSR2, inner_handler, SA_ONSTACK);
  nest();
  handle(SIGUSR2, inner_handler, 0);
  nest();
}

// The handler within a handler jumps out of both.
static sigjmp_buf back;
NOINLINE void inner_leaves(int number) {
  (void)number;
  siglongjmp(back, 1);
}
NOINLINE void outer_left(int number) {
  (void)number;
  raise(SIGUSR2);
  work(1000);
}
NOINLINE void interrupted_for_good(int n) {
  if (n > 0)
    interrupted_for_good(n - 1);
  else
    raise(SIGUSR1);
  work(1000);
}
NOINLINE void leave_both(void) {
  if (sigsetjmp(back, 1) == 0)
    interrupted_for_good(3);
  work(20);
}
NOINLINE void left(void) {
  for (int i = 0; i < 4; i++) {
    handle(SIGUSR1, outer_left, i & 1 ? SA_ONSTACK : 0);
    handle(SIGUSR2, inner_leaves, i & 2 ? SA_ONSTACK : 0);
    leave_both();
  }
}

// A bad access: the handler leaves by a jump; another maps the page and lets it be repeated.
static char* page;
NOINLINE void jump_away(int number) {
  (void)number;
  siglongjmp(back, 1);
}
NOINLINE void bad_store(int n) {
  work(5);
  *(volatile int*)page = n;
  work(1000);
}
NOINLINE void try_bad_store(int n) {
  if (sigsetjmp(back, 1) == 0)
    bad_store(n);
}
NOINLINE void map_page(int number) {
  (void)number;
  mprotect(page, 4096, PROT_READ | PROT_WRITE);
}
NOINLINE void repeated_store(int n) {
  *(volatile int*)page = n;
  work(7);
}
NOINLINE void faults(void) {
  page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  handle(SIGSEGV, jump_away, SA_ONSTACK);
  for (int i = 0; i < 5; i++)
    try_bad_store(i);
  handle(SIGSEGV, map_page, 0);
  repeated_store(3);
}

// While a read waits for data that only the handler brings: it is restarted and reads 100 cells;
// without SA_RESTART it fails, and is not repeated.
static int ends[2];
static volatile int alarms;
static int buffer[100];
NOINLINE void bring_data(int number) {
  (void)number;
  static const int data[100];
  if (write(ends[1], data, sizeof data) != sizeof data)
    abort();
}
NOINLINE int receive(void) {
  int total = 0;
  if (read(ends[0], buffer, sizeof buffer) != sizeof buffer)
    return -1;
  for (int i = 0; i < 100; i++)
    total += buffer[i];
  return total;
}
NOINLINE void count_alarm(int number) {
  (void)number;
  alarms++;
}
NOINLINE int receive_nothing(void) {
  return read(ends[0], buffer, sizeof buffer) == -1 && errno == EINTR;
}
static void every(int microseconds) {
  const struct itimerval interval = {{0, microseconds}, {0, microseconds}};
  setitimer(ITIMER_REAL, &interval, NULL);
}
NOINLINE void during_calls(void) {
  if (pipe(ends) != 0)
    abort();
  handle(SIGALRM, bring_data, SA_RESTART);
  const struct itimerval once = {{0, 0}, {0, 50000}};
  setitimer(ITIMER_REAL, &once, NULL);
  if (receive() != 0)
    abort();
  handle(SIGALRM, count_alarm, 0);
  every(50000);
  if (!receive_nothing())
    abort();
  every(0);
}

// A thread that a timer interrupts time and again; what it does is the same every time.
static volatile int ticks;
NOINLINE void tick(int number) {
  (void)number;
  ticks++;
  work(50);
}
NOINLINE void same_work(void) { work(200); }
static void* interrupted_thread(void* unused) {
  sigset_t timer;
  sigemptyset(&timer);
  sigaddset(&timer, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &timer, NULL);
  for (int i = 0; i < 2000 || ticks < 30; i++)
    same_work();
  pthread_sigmask(SIG_BLOCK, &timer, NULL);
  return unused;
}
NOINLINE void timer(void) {
  sigset_t timer;
  sigemptyset(&timer);
  sigaddset(&timer, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &timer, NULL);
  handle(SIGALRM, tick, SA_RESTART);
  pthread_t thread;
  pthread_create(&thread, NULL, interrupted_thread, NULL);
  every(1000);
  pthread_join(thread, NULL);
  every(0);
}

int main(void) {
  for (int i = 0; i < 100; i++)
    cells[i] = i;
  static char alternate[1 << 17];
  const stack_t stack = {.ss_sp = alternate, .ss_size = sizeof alternate};
  sigaltstack(&stack, NULL);
  nested();
  left();
  faults();
  during_calls();
  timer();
  printf("%d %d\n", alarms, ticks);
  return 0;
}
