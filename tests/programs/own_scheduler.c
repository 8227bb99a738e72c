// Eight tasks through a queue of its own to two threads that spin. Or, by its argument: two threads
// that take turns by a flag; requests that make no sense.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <valgrind/cilkshadow.h>

#define NOINLINE __attribute__((noinline, noipa))

static volatile int sink;

NOINLINE static void leaf(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

enum { TASKS = 8, THREADS = 2 };
static atomic_int created, taken, done[TASKS], turn;
static char task[TASKS];

static void* work(void* unused) {
  for (;;) {
    CILKSHADOW_RUNTIME_BEGIN();
    const int mine = atomic_fetch_add(&taken, 1);
    while (mine < TASKS && atomic_load(&created) <= mine)
      leaf(10);
    CILKSHADOW_RUNTIME_END();
    if (mine >= TASKS)
      return unused;
    CILKSHADOW_TASK_BEGIN(&task[mine]);
    leaf(10000);
    CILKSHADOW_TASK_END(&task[mine]);
    atomic_store(&done[mine], 1);
  }
}

static void* second(void* unused) {
  CILKSHADOW_RUNTIME_BEGIN();
  while (atomic_load(&turn) == 0)
    leaf(10);
  CILKSHADOW_RUNTIME_END();
  CILKSHADOW_HAPPENS_AFTER(&turn);
  leaf(10000);
  return unused;
}

NOINLINE static void begins_only(void) {
  CILKSHADOW_TASK_CREATE(&task[0]);
  CILKSHADOW_TASK_BEGIN(&task[0]);
  leaf(10000);
}
static void without_sense(void) {
  CILKSHADOW_TASK_BEGIN(&task[1]); // not created
  CILKSHADOW_TASK_END(&task[1]);
  CILKSHADOW_TASK_WAIT(&task[1]);
  CILKSHADOW_RUNTIME_END();
  begins_only();
  CILKSHADOW_REQUEST(VG_USERREQ_TOOL_BASE('C', 'S') + 99, 0); // of a later version
}

int main(int argc, char** argv) {
  pthread_t threads[THREADS];
  if (argc > 1 && strcmp(argv[1], "without-sense") == 0) {
    without_sense();
    return 0;
  }
  if (argc > 1) {
    pthread_create(&threads[0], NULL, second, NULL);
    leaf(10000);
    CILKSHADOW_HAPPENS_BEFORE(&turn);
    atomic_store(&turn, 1);
    pthread_join(threads[0], NULL);
    return 0;
  }
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < TASKS; i++) {
    CILKSHADOW_TASK_CREATE(&task[i]);
    atomic_store(&created, i + 1);
  }
  for (int i = 0; i < TASKS; i++) {
    CILKSHADOW_RUNTIME_BEGIN();
    while (atomic_load(&done[i]) == 0)
      leaf(10);
    CILKSHADOW_RUNTIME_END();
    CILKSHADOW_TASK_WAIT(&task[i]);
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
