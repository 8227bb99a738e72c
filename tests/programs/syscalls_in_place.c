// Routines that make their system calls in place, so that they have no input but what is theirs:
// what the kernel reads for them, if others wrote it (take_*), and what it delivers to them
// (receive_*). A thread fills `theirs`, the kernel `delivered`.
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noipa))

static inline __attribute__((always_inline)) long in_place(long number, long a, const void* b,
                                                           long c, long d, const void* e, long f) {
  register long r10 __asm__("r10") = d;
  register const void* r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

static _Alignas(64) char theirs[400];
static _Alignas(64) char own[400];
static _Alignas(64) char delivered[400];
static _Alignas(64) char path_of_theirs[16];

static void* fill_theirs(void* unused) {
  memset(theirs, 1, sizeof theirs);
  *(long*)theirs = 1;                  // for msgsnd: a message's type
  strcpy(path_of_theirs, "/dev/null"); // 10 bytes: 3 cells
  return unused;
}
static void filled_by_a_thread(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, fill_theirs, NULL) != 0)
    exit(1);
  pthread_join(thread, NULL);
}

// Two pieces, of 6 and 15 bytes: 2 and 4 cells. Made by the routine itself, they are no input.
#define PIECES                                                                                     \
  {                                                                                                \
    {theirs, 6}, { theirs + 40, 15 }                                                               \
  }

NOINLINE long take_write(int to) { return in_place(SYS_write, to, theirs, 400, 0, 0, 0); }
NOINLINE long take_part(int to) { return in_place(SYS_write, to, theirs + 2, 10, 0, 0, 0); }
NOINLINE long take_twice(int to) { // the second time nothing is new
  return in_place(SYS_write, to, theirs, 400, 0, 0, 0) +
         in_place(SYS_write, to, theirs, 400, 0, 0, 0);
}
NOINLINE long take_own(int to) {
  for (int i = 0; i < 400; i++)
    ((volatile char*)own)[i] = 2;
  return in_place(SYS_write, to, own, 400, 0, 0, 0);
}
NOINLINE long take_pwrite(int to) { return in_place(SYS_pwrite64, to, theirs, 400, 0, 0, 0); }
NOINLINE long take_writev(int to) {
  const struct iovec pieces[] = PIECES;
  return in_place(SYS_writev, to, pieces, 2, 0, 0, 0);
}
NOINLINE long take_pwritev(int to) {
  const struct iovec pieces[] = PIECES;
  return in_place(SYS_pwritev, to, pieces, 2, 0, 0, 0);
}
NOINLINE long take_pwritev2(int to) {
  const struct iovec pieces[] = PIECES;
  return in_place(SYS_pwritev2, to, pieces, 2, 0, 0, 0);
}
NOINLINE long take_vmsplice(int to) {
  const struct iovec pieces[] = PIECES;
  return in_place(SYS_vmsplice, to, pieces, 2, 0, 0, 0);
}
NOINLINE long take_sendto(int to) { return in_place(SYS_sendto, to, theirs, 400, 0, 0, 0); }
NOINLINE long take_sendmsg(int to) {
  const struct iovec pieces[] = PIECES;
  const struct msghdr message = {.msg_iov = (struct iovec*)pieces, .msg_iovlen = 2};
  return in_place(SYS_sendmsg, to, &message, 0, 0, 0, 0);
}
NOINLINE long take_sendmmsg(int to) {
  const struct iovec pieces[] = PIECES;
  struct mmsghdr messages[2];
  for (int i = 0; i < 2; i++)
    messages[i].msg_hdr = (struct msghdr){.msg_iov = (struct iovec*)&pieces[i], .msg_iovlen = 1};
  return in_place(SYS_sendmmsg, to, messages, 2, 0, 0, 0);
}
NOINLINE long take_msgsnd(int to) { // the type, and 20 bytes
  return in_place(SYS_msgsnd, to, theirs, 20, 0, 0, 0);
}
NOINLINE long take_open(int unused) { // up to the terminating zero
  (void)unused;
  return in_place(SYS_openat, AT_FDCWD, path_of_theirs, O_WRONLY, 0, 0, 0);
}
NOINLINE long take_sendfile(int to, long from) {
  return in_place(SYS_sendfile, to, (void*)from, (long)theirs, 8, 0, 0);
}
NOINLINE long take_process_vm_readv(int process) { // its own
  const struct iovec here = {own, sizeof own};
  const struct iovec pieces[] = PIECES;
  return in_place(SYS_process_vm_readv, process, &here, 1, (long)pieces, (void*)2, 0);
}
NOINLINE long take_process_vm_readv_partly(int process) {
  const struct iovec here = {own, 10};
  const struct iovec pieces[] = PIECES;
  return in_place(SYS_process_vm_readv, process, &here, 1, (long)pieces, (void*)2, 0);
}
NOINLINE long take_futex_wake(int unused) {
  (void)unused;
  return in_place(SYS_futex, (long)theirs, (void*)FUTEX_WAKE, 1, 0, 0, 0) + 1;
}
NOINLINE long take_futex_wait(int unused) { // the word is 1, not 5
  (void)unused;
  return -in_place(SYS_futex, (long)theirs, (void*)FUTEX_WAIT, 5, 0, 0, 0);
}

// What `cat` does, n times over one buffer.
NOINLINE long take_delivered(int to, int from, int n) {
  long total = 0;
  for (int i = 0; i < n; i++) {
    total += in_place(SYS_read, from, delivered, 400, 0, 0, 0);
    total += in_place(SYS_write, to, delivered, 400, 0, 0, 0);
  }
  return total;
}

// 70 bytes, 18 cells, come n times into a buffer that has room for 400, all of which is used: by
// whichever system call they come, the first 18 of 100 cells are new each time.
#define RECEIVER(name, ...)                                                                        \
  NOINLINE long receive_by_##name(int from, int n) {                                               \
    long total = 0;                                                                                \
    for (int i = 0; i < n; i++) {                                                                  \
      struct iovec room = {delivered, sizeof delivered};                                           \
      struct mmsghdr header = {.msg_hdr = {.msg_iov = &room, .msg_iovlen = 1}};                    \
      __asm__ volatile("" : : "r"(&header) : "memory");                                            \
      total += in_place(__VA_ARGS__);                                                              \
      for (int cell = 0; cell < 100; cell++)                                                       \
        total += ((int*)delivered)[cell];                                                          \
    }                                                                                              \
    return total;                                                                                  \
  }
RECEIVER(read, SYS_read, from, delivered, 400, 0, 0, 0)
RECEIVER(readv, SYS_readv, from, &room, 1, 0, 0, 0)
RECEIVER(recv, SYS_recvfrom, from, delivered, 400, 0, 0, 0)
RECEIVER(recvmsg, SYS_recvmsg, from, &header.msg_hdr, 0, 0, 0, 0)
RECEIVER(recvmmsg, SYS_recvmmsg, from, &header, 1, 0, 0, 0)

static void check(const char* what, long result) {
  if (result <= 0) {
    fprintf(stderr, "%s: %s\n", what, strerror((int)-result));
    exit(1);
  }
}
#define RUN(routine, to)                                                                           \
  do {                                                                                             \
    filled_by_a_thread();                                                                          \
    check(#routine, routine(to));                                                                  \
  } while (0)

#define RECEIVE(name)                                                                              \
  do {                                                                                             \
    for (int i = 0; i < n; i++)                                                                    \
      check("send", send(fresh[1], own, 70, 0));                                                   \
    check(#name, receive_by_##name(fresh[0], n));                                                  \
  } while (0)

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "io_uring") == 0)
    return syscall(SYS_io_uring_setup, 1, (char[200]){0}) < 0;
  const int file = memfd_create("data", 0);
  const int zeroes = open("/dev/zero", O_RDONLY);
  const int queue = msgget(IPC_PRIVATE, 0600);
  int ends[2], datagram[2], fresh[2];
  check("queue", queue + 1); // the first queue of all is number 0
  if (pipe(ends) != 0 || socketpair(AF_UNIX, SOCK_DGRAM, 0, datagram) != 0 ||
      socketpair(AF_UNIX, SOCK_DGRAM, 0, fresh) != 0)
    return 1;
  RUN(take_write, file);
  RUN(take_part, file);
  RUN(take_twice, file);
  RUN(take_own, file);
  RUN(take_pwrite, file);
  RUN(take_writev, file);
  RUN(take_pwritev, file);
  RUN(take_pwritev2, file);
  RUN(take_vmsplice, ends[1]);
  RUN(take_sendto, datagram[0]);
  RUN(take_sendmsg, datagram[0]);
  RUN(take_sendmmsg, datagram[0]);
  RUN(take_open, 0);
  filled_by_a_thread();
  check("take_sendfile", take_sendfile(ends[1], file));
  RUN(take_process_vm_readv, getpid());
  RUN(take_process_vm_readv_partly, getpid());
  RUN(take_futex_wake, 0);
  RUN(take_futex_wait, 0);
  filled_by_a_thread();
  const long sent = take_msgsnd(queue);
  msgctl(queue, IPC_RMID, NULL);
  check("take_delivered", take_delivered(file, zeroes, 10));
  memset(delivered, 0, sizeof delivered);
  for (int n = 1; n <= 5; n++) {
    RECEIVE(read);
    RECEIVE(readv);
    RECEIVE(recv);
    RECEIVE(recvmsg);
    RECEIVE(recvmmsg);
  }
  return sent != 0;
}
