// Client requests of aprof.h at known places.
#include <valgrind/aprof.h>

#include <pthread.h>
#include <stdio.h>

#define NOINLINE __attribute__((noinline, noclone))

int numbers[2000];
static volatile long sink;

static NOINLINE void sum(int n) {
  long total = 0;
  for (int i = 0; i < n; i++)
    total += numbers[i];
  sink = total;
}

// Pending while the program asks for something.
static NOINLINE void outer(void (*request)(void)) {
  sum(1000);
  request();
  sum(1001);
  sink++;
}

static void start(void) { APROF_START(); }
static void stop(void) { APROF_STOP(); }
static void toggle(void) { APROF_TOGGLE(); }
static void zero(void) { APROF_ZERO(); }
static void instrumentation_off(void) { APROF_STOP_INSTRUMENTATION(); }
static void instrumentation_on(void) { APROF_START_INSTRUMENTATION(); }
static void dump(void) { APROF_DUMP_AT("within outer"); }

static void* in_thread(void* unused) {
  sum(50);
  return unused;
}

int main(void) {
  sum(100); // with --collect-at-start=no: not recorded, as 700
  start();
  sum(200);
  APROF_DUMP();
  outer(dump);
  stop();
  sum(300);
  toggle();
  outer(stop); // recorded whole: it began before
  sum(400);
  outer(toggle); // not recorded: it began while off
  APROF_DUMP_AT("a name\nof two lines");
  outer(zero); // not recorded: it began before
  sum(500);
  outer(instrumentation_off); // unfinished
  sum(600);
  pthread_t thread;
  pthread_create(&thread, NULL, in_thread, NULL);
  pthread_join(thread, NULL);
  outer(instrumentation_on); // not seen: it began before
  sum(700);
  printf("%ld\n", sink);
  return 0;
}
