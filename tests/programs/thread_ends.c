// The ways a thread can end, by the program's argument. `deep` is what is pending when it does.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noipa))

static volatile int sink;
static volatile int cells[100];
static sem_t ready;
static void (*at_the_bottom)(void);

NOINLINE void work(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

NOINLINE void deep(int depth) {
  sink = cells[depth];
  if (depth == 0)
    at_the_bottom();
  else
    deep(depth - 1);
  sink = depth;
}

NOINLINE void cleanup(void* n) { work((int)(long)n); }
static void* body(void* unused) {
  pthread_cleanup_push(cleanup, (void*)30L);
  deep(9);
  pthread_cleanup_pop(0);
  return unused;
}

NOINLINE void by_exit(void) { pthread_exit(NULL); }
NOINLINE void by_cancellation(void) {
  sem_post(&ready);
  for (;;)
    pause();
}
NOINLINE void by_asynchronous_cancellation(void) {
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  sem_post(&ready);
  for (;;)
    sink = 1;
}
NOINLINE void by_end_of_process(void) { exit(5); }
// All alive at once.
static pthread_barrier_t all_here;
NOINLINE void together_with_all(void) { pthread_barrier_wait(&all_here); }
NOINLINE void together(int count) {
  static pthread_t threads[5000];
  pthread_barrier_init(&all_here, NULL, (unsigned)count);
  for (int i = 0; i < count; i++)
    if (pthread_create(&threads[i], NULL, body, NULL) != 0)
      abort();
  for (int i = 0; i < count; i++)
    pthread_join(threads[i], NULL);
}

static atomic_int finished;
NOINLINE void by_return(void) { atomic_fetch_add(&finished, 1); }

// Of a detached thread nobody waits for the end.
NOINLINE void detached(int count) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  for (int i = 0; i < count; i++) {
    pthread_t thread;
    pthread_create(&thread, &attributes, body, NULL);
  }
  while (atomic_load(&finished) < count)
    usleep(1000);
}

static void* outlives_main(void* main_thread) {
  pthread_join(*(pthread_t*)main_thread, NULL);
  work(500);
  return NULL;
}

int main(int argc, char** argv) {
  const char* how = argc > 1 ? argv[1] : "";
  const int count = argc > 2 ? atoi(argv[2]) : 1;
  for (int i = 0; i < 100; i++)
    cells[i] = i;
  sem_init(&ready, 0, 0);
  if (strcmp(how, "main") == 0) {
    static pthread_t self;
    pthread_t thread;
    self = pthread_self();
    pthread_create(&thread, NULL, outlives_main, &self);
    pthread_exit(NULL);
  }
  const int cancelled = strstr(how, "cancel") != NULL;
  at_the_bottom = strcmp(how, "exit") == 0           ? by_exit
                  : strcmp(how, "cancel") == 0       ? by_cancellation
                  : strcmp(how, "async-cancel") == 0 ? by_asynchronous_cancellation
                  : strcmp(how, "process") == 0      ? by_end_of_process
                  : strcmp(how, "together") == 0     ? together_with_all
                                                     : by_return;
  if (strcmp(how, "detached") == 0) {
    detached(count);
    return 0;
  }
  if (strcmp(how, "together") == 0) {
    together(count);
    return 0;
  }
  for (int i = 0; i < count; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, body, NULL);
    if (cancelled) {
      sem_wait(&ready);
      pthread_cancel(thread);
    }
    pthread_join(thread, NULL);
  }
  return 0;
}
