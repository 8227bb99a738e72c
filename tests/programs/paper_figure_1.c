// Figures 1a and 1b of the aprof-trms paper. Two threads take turns through pipes; the turns are
// system calls made in place, so that routines access x and nothing else.
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static int to_1[2], to_2[2];
static volatile int x;

static inline __attribute__((always_inline)) void token(long number, int file, char* at) {
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(file), "S"(at), "d"(1)
                   : "rcx", "r11", "memory");
}
// Nothing of this is input: what is received is not used, what is sent is stored before the kernel
// reads it.
static inline __attribute__((always_inline)) void send_to(int file) {
  char sent = 1;
  token(SYS_write, file, &sent);
}
static inline __attribute__((always_inline)) void receive_from(int file) {
  char received;
  token(SYS_read, file, &received);
}

#define NOINLINE __attribute__((noinline, noipa))

NOINLINE int f_of_1a(int from, int to) {
  const int first = x;
  send_to(to); // g writes x
  receive_from(from);
  return first + x;
}

NOINLINE int h_of_1b(void) { return x; }

NOINLINE int f_of_1b(int from, int to) {
  int total = x;
  send_to(to); // g writes x
  receive_from(from);
  total += h_of_1b();
  return total + x;
}

NOINLINE void g(int value) { x = value; }

static void* thread_2(void* unused) {
  const int from = to_2[0], to = to_1[1];
  for (int round = 1; round <= 2; round++) {
    receive_from(from);
    g(round);
    send_to(to);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  if (pipe(to_1) != 0 || pipe(to_2) != 0 || pthread_create(&thread, NULL, thread_2, NULL) != 0)
    return 1;
  int total = f_of_1a(to_1[0], to_2[1]);
  total += f_of_1b(to_1[0], to_2[1]);
  pthread_join(thread, NULL);
  printf("%d\n", total);
  return 0;
}
