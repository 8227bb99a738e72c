/* What programs do wrong, or do that a spawn does not expect: the argument says which. */
#include <cilk/cilk.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline, noipa))

static volatile int sink;
static jmp_buf outside;

NOINLINE static void leaf(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}
NOINLINE static void exits(void) {
  leaf(1000);
  exit(0);
}
NOINLINE static void jumps(void) {
  leaf(1000);
  longjmp(outside, 1);
}
NOINLINE static void ends_thread(void) {
  leaf(1000);
  pthread_exit(NULL);
}

NOINLINE static void spawns(void (*child)(void)) {
  cilk_scope {
    cilk_spawn child();
    leaf(1000);
  }
}
NOINLINE static void lands(void) {
  if (setjmp(outside) == 0)
    cilk_spawn jumps();
  cilk_sync;
}
NOINLINE static void spawns_only(void (*child)(void)) {
  cilk_spawn child();
  leaf(1000);
}
static void* in_thread(void* unused) {
  spawns(ends_thread);
  return unused;
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  leaf(1000);
  if (strcmp(what, "exit") == 0) {
    spawns(exits);
  } else if (strcmp(what, "longjmp") == 0) {
    if (setjmp(outside) == 0)
      spawns(jumps);
    leaf(1000);
  } else if (strcmp(what, "longjmp-to-spawner") == 0) {
    lands();
  } else if (strcmp(what, "longjmp-beyond") == 0) {
    if (setjmp(outside) == 0)
      spawns_only(jumps);
  } else if (strcmp(what, "pthread_exit") == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, in_thread, NULL);
    pthread_join(thread, NULL);
  } else if (strcmp(what, "unmatched") == 0) {
    CILKSHADOW_MARK(CILKSHADOW_SCOPE_END);
    CILKSHADOW_MARK(CILKSHADOW_FOR_ITERATION);
    leaf(1000);
  } else if (strcmp(what, "newer") == 0) {
    CILKSHADOW_MARK(77);
    leaf(1000);
  } else if (strcmp(what, "no-call") == 0) {
    (void)CILKSHADOW_MARK(CILKSHADOW_SPAWN);
    cilk_sync;
  } else if (strcmp(what, "one-line") == 0) {
    cilk_spawn leaf(1000); leaf(1000);
    cilk_sync;
  } else if (strcmp(what, "never-synced") == 0) {
    CILKSHADOW_MARK(CILKSHADOW_SCOPE_BEGIN);
    leaf(1000);
  }
  printf("%s\n", what);
  return 0;
}
