/* Routines that no code of the program calls, after some that has called a library about threads:
   main, a destructor, a function for exit, signal handlers. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t handled;

NOINLINE static void locks(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}

__attribute__((constructor)) static void setup(void) { locks(); }
__attribute__((destructor)) static void destructor(void) { locks(); }
static void at_end(void) { locks(); }

NOINLINE static void handler(int number) {
  (void)number;
  sem_post(&handled);
}

static void *thread(void *nothing) {
  locks();
  return nothing;
}

int main(void) {
  pthread_t other;
  atexit(at_end);
  signal(SIGALRM, handler);
  sem_init(&handled, 0, 0);
  alarm(1);
  while (sem_wait(&handled) != 0) { /* interrupted there */
  }
  locks();
  raise(SIGALRM);
  pthread_create(&other, NULL, thread, NULL);
  pthread_join(other, NULL);
  puts("done");
  return 0;
}
