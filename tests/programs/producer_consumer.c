// Figure 2 of the aprof-trms paper: a producer and a consumer that share one variable. They wait
// for each other by blocking system calls made in place, so that x is all that they share.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static int full[2], empty[2];
static volatile int x;

static inline __attribute__((always_inline)) void system_call(long number, int file, char* at) {
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(file), "S"(at), "d"(1)
                   : "rcx", "r11", "memory");
}

// Nothing of this is input: what is received is not used, what is sent is stored before the kernel
// reads it.
static inline __attribute__((always_inline)) void wait_for(int file) {
  char received;
  system_call(SYS_read, file, &received);
}
static inline __attribute__((always_inline)) void signal_to(int file) {
  char sent = 1;
  system_call(SYS_write, file, &sent);
}

__attribute__((noinline, noipa)) void produce(int n, int from, int to) {
  for (int i = 0; i < n; i++) {
    wait_for(from);
    x = i;
    signal_to(to);
  }
}

__attribute__((noinline, noipa)) long consume(int n, int from, int to) {
  long total = 0;
  for (int i = 0; i < n; i++) {
    wait_for(from);
    total += x;
    signal_to(to);
  }
  return total;
}

static void* producer(void* unused) {
  pthread_setname_np(pthread_self(), "producer");
  for (int n = 10; n <= 100; n += 10)
    produce(n, empty[0], full[1]);
  return unused;
}

int main(void) {
  pthread_t thread;
  if (pipe(full) != 0 || pipe(empty) != 0 || pthread_create(&thread, NULL, producer, NULL) != 0)
    return 1;
  signal_to(empty[1]);
  long total = 0;
  for (int n = 10; n <= 100; n += 10)
    total += consume(n, full[0], empty[1]);
  pthread_join(thread, NULL);
  printf("%ld\n", total);
  return 0;
}
