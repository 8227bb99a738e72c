// Named regions that are not simply begun and ended, by the first argument: tasks leave one open;
// a signal handler forks within one; functions are left by return, longjmp and exit, and a thread
// ends; requests that make no sense.
#include <cilk/cilkscale.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <valgrind/cilkshadow.h>

#define NOINLINE __attribute__((noinline, noipa))

static volatile int sink;

NOINLINE static void leaf(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

// The first task begins a region; the others, which have the memory of those before them, end one.
static void tasks(void) {
  static char task[3];
  leaf(25000);
  for (int i = 0; i < 3; i++) {
    CILKSHADOW_TASK_CREATE(&task[i]);
    leaf(5000);
    CILKSHADOW_TASK_BEGIN(&task[i]);
    leaf(i == 0 ? 2500 : 2);
    if (i == 0)
      CILKSHADOW_REGION_BEGIN("of a task");
    else
      CILKSHADOW_REGION_END("of a task");
    CILKSHADOW_TASK_END(&task[i]);
    CILKSHADOW_TASK_WAIT(&task[i]);
  }
}

static void fork_here(int unused) {
  (void)unused;
  if (fork() != 0)
    wait(NULL);
}
static void handler(void) {
  signal(SIGUSR1, fork_here);
  leaf(25000);
  CILKSHADOW_REGION_BEGIN("interrupted");
  leaf(10000);
  raise(SIGUSR1);
  leaf(2500);
  CILKSHADOW_REGION_END("interrupted");
}

static jmp_buf before;

// Leaves the region except if n is 0.
NOINLINE static void leave(int n) {
  CILKSHADOW_REGION_BEGIN("left");
  leaf(250);
  if (n == 1)
    return;
  if (n == 2)
    longjmp(before, 1);
  if (n == 3)
    pthread_exit(NULL);
  if (n == 4)
    exit(0);
  CILKSHADOW_REGION_END("left");
}
static void* thread(void* unused) {
  leave(3);
  return unused;
}
static void left(void) {
  for (int i = 0; i < 100; i++)
    leave(1);
  if (setjmp(before) == 0)
    leave(2);
  pthread_t other;
  pthread_create(&other, NULL, thread, NULL);
  pthread_join(other, NULL);
  CILKSHADOW_REGION_END("left"); // not of this function
  CILKSHADOW_REGION_END("never begun");
  leave(0);
  leave(4);
}

static void without_sense(void) {
  const char* nowhere = (const char*)8;
  wsp_t measured = {1, 2, 3};
  wsp_dump(measured, "good");
  wsp_dump(measured, NULL);
  wsp_dump(measured, nowhere);
  measured.span = -1;
  wsp_dump(measured, "negative");
  VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ__CILKSHADOW_WORK_SPAN_DUMP, "no numbers", nowhere, 0,
                                  0, 0);
  VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ__CILKSHADOW_WORK_SPAN, nowhere, 0, 0, 0, 0);
  CILKSHADOW_REGION_BEGIN(nowhere);
  CILKSHADOW_REGION_END(nowhere);
}

int main(int argc, char* argv[]) {
  if (argc < 2)
    return 1;
  if (strcmp(argv[1], "tasks") == 0)
    tasks();
  if (strcmp(argv[1], "handler") == 0)
    handler();
  if (strcmp(argv[1], "left") == 0)
    left();
  if (strcmp(argv[1], "without-sense") == 0)
    without_sense();
  return 0;
}
