// Forks from a thread, while another waits, and from a signal handler.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noipa))

static volatile int cells[100], sink;

NOINLINE void in_child(void) {
  for (int i = 0; i < 20; i++)
    sink = cells[i];
}
static void* thread_of_child(void* unused) {
  in_child();
  return unused;
}
NOINLINE void fork_child(void) {
  const pid_t child = fork();
  if (child == 0) {
    pthread_t thread;
    in_child();
    pthread_create(&thread, NULL, thread_of_child, NULL);
    pthread_join(thread, NULL);
    exit(0);
  }
  int status = 1;
  waitpid(child, &status, 0);
  if (status != 0)
    abort();
}

NOINLINE void* waits(void* unused) {
  for (;;)
    pause();
  return unused;
}
NOINLINE void* forks(void* unused) {
  fork_child();
  return unused;
}
NOINLINE void handler(int number) {
  (void)number;
  fork_child();
}

int main(void) {
  pthread_t waiting, forking;
  for (int i = 0; i < 100; i++)
    cells[i] = i;
  pthread_create(&waiting, NULL, waits, NULL);
  pthread_create(&forking, NULL, forks, NULL);
  pthread_join(forking, NULL);
  signal(SIGUSR1, handler);
  raise(SIGUSR1);
  puts("done");
  return 0;
}
