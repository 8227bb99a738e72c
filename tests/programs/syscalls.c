// System calls that deliver data: each into `buffer`, which the case's own reader then scans from
// end to end, so that exactly the delivered cells must be external input. Prints each case with the
// bytes that the kernel says it delivered. Runs in an empty folder of its own.
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "must.h"

#define NOINLINE __attribute__((noinline, noipa))

enum { kCells = 128, kBytes = 4 * kCells, kFileBytes = 1000 };
static _Alignas(64) int buffer[kCells];
static char* const bytes = (char*)buffer;
static long total;

// Heads the function that delivers and returns how many bytes.
#define CASE(name)                                                                                 \
  NOINLINE long scan_##name(void) {                                                                \
    long sum = 0;                                                                                  \
    for (int i = 0; i < kCells; i++)                                                               \
      sum += buffer[i];                                                                            \
    return sum;                                                                                    \
  }                                                                                                \
  static long deliver_##name(void)

#define RUN(name)                                                                                  \
  do {                                                                                             \
    memset(buffer, 0, sizeof buffer); /* this thread's own */                                      \
    printf("%s %ld\n", #name, check(#name, deliver_##name()));                                     \
    total += scan_##name();                                                                        \
  } while (0)

static int file, stream[2], datagram[2], ends[2], terminal, one_folder;

// Files

CASE(read) { return read(file, bytes, 400); }
CASE(read_at_end) {
  lseek(file, kFileBytes - 50, SEEK_SET);
  return read(file, bytes, 400);
}
CASE(pread_unaligned) { return pread(file, bytes + 2, 10, 0); }

static struct iovec pieces[] = {{(char*)buffer, 6}, {(char*)buffer + 40, 400}, {buffer + 120, 20}};
CASE(readv) {
  lseek(file, kFileBytes - 21, SEEK_SET);
  return readv(file, pieces, 3);
}
CASE(preadv) { return preadv(file, pieces, 3, kFileBytes - 21); }
CASE(preadv2) { return preadv2(file, pieces, 3, kFileBytes - 21, 0); }
CASE(aio_read) {
  aio_context_t context = 0;
  struct iocb request = {.aio_lio_opcode = IOCB_CMD_PREAD,
                         .aio_fildes = (unsigned)file,
                         .aio_buf = (unsigned long)bytes,
                         .aio_nbytes = 400,
                         .aio_offset = kFileBytes - 70};
  struct iocb* requests[] = {&request};
  DO(syscall(SYS_io_setup, 1, &context));
  DO(syscall(SYS_io_submit, context, 1, requests));
  DO(syscall(SYS_io_getevents, context, 1, 1, buffer + 64, NULL));
  DO(syscall(SYS_io_destroy, context));
  return 70 + sizeof(struct io_event);
}
CASE(process_vm_readv) {
  static char there[70];
  struct iovec remote = {there, sizeof there};
  return process_vm_readv(getpid(), pieces, 3, &remote, 1, 0);
}
CASE(process_vm_writev) { // two pieces of the buffer
  static char here[70];
  const struct iovec local = {here, 21}, remote[] = {{bytes, 6}, {bytes + 100, 64}};
  return process_vm_writev(getpid(), &local, 1, remote, 2, 0);
}
CASE(vmsplice) {
  struct iovec all = {bytes, 40};
  DO(write(ends[1], "a pipe's forty bytes, some of them spaces", 40));
  return vmsplice(ends[0], &all, 1, 0);
}
CASE(sendfile_offset) {
  DO(sendfile(ends[1], file, (off_t*)buffer, 8));
  return read(ends[0], bytes + 256, 8) == 8 ? 16 : -1;
}
CASE(copy_file_range) { // from the kernel to the kernel
  const int copy = open("copy", O_RDWR | O_CREAT, 0600);
  lseek(file, 0, SEEK_SET);
  DO(copy_file_range(file, NULL, copy, NULL, 100, 0));
  DO(splice(copy, &(off_t){0}, ends[1], NULL, 8, 0));
  DO(close(copy));
  return read(ends[0], (char[8]){0}, 8) == 8 ? 0 : -1;
}

// Descriptors that are not files

CASE(splice_offset) { // where the pipe's data went
  DO(write(ends[1], "eight by", 8));
  DO(splice(ends[0], NULL, file, (loff_t*)buffer, 8, 0));
  return sizeof(loff_t);
}
CASE(copy_offsets) {
  loff_t* const offsets = (loff_t*)buffer;
  offsets[1] = 600;
  DO(copy_file_range(file, &offsets[0], file, &offsets[1], 100, 0));
  return 2 * sizeof(loff_t);
}
CASE(eventfd) { return read(eventfd(1, 0), bytes, 8); }
CASE(timerfd) {
  const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  DO(timerfd_settime(timer, 0, &(struct itimerspec){.it_value.tv_nsec = 1}, NULL));
  return read(timer, bytes, 8);
}
CASE(signalfd) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, NULL);
  raise(SIGUSR1);
  return read(signalfd(-1, &set, 0), bytes, kBytes);
}
CASE(inotify) {
  const int watch = inotify_init();
  DO(inotify_add_watch(watch, "one", IN_CREATE));
  DO(close(open("one/new", O_CREAT, 0600)));
  DO(unlink("one/new"));
  return read(watch, bytes, kBytes);
}

// Sockets: 70 bytes where 400 are asked for

static char seventy[70];
CASE(recv) {
  DO(send(stream[1], seventy, 70, 0));
  return recv(stream[0], bytes, 400, 0);
}
CASE(recv_truncated) { // the result is the message's length, not what was stored
  DO(send(datagram[1], seventy, 70, 0));
  return recv(datagram[0], bytes, 40, MSG_TRUNC) == 70 ? 40 : -1;
}
CASE(recvfrom) {
  socklen_t length = 80;
  DO(send(datagram[1], seventy, 70, 0));
  return recvfrom(datagram[0], bytes, 300, 0, (struct sockaddr*)(buffer + 80), &length) + length;
}
CASE(recvmsg) {
  struct iovec scattered[] = {{bytes, 5}, {buffer + 8, 80}, {buffer + 60, 80}};
  struct msghdr message = {.msg_name = buffer + 32,
                           .msg_namelen = 40,
                           .msg_iov = scattered,
                           .msg_iovlen = 3,
                           .msg_control = buffer + 80,
                           .msg_controllen = 100};
  DO(send(datagram[1], seventy, 12, 0));
  return recvmsg(datagram[0], &message, 0) + message.msg_namelen + (long)message.msg_controllen;
}
static struct mmsghdr messages[3];
NOINLINE long scan_msg_len(void) { return messages[0].msg_len + messages[1].msg_len; }
CASE(recvmmsg) {
  struct iovec each[] = {{buffer, 100}, {buffer + 32, 100}, {buffer + 64, 100}};
  for (int i = 0; i < 3; i++)
    messages[i].msg_hdr = (struct msghdr){.msg_iov = &each[i], .msg_iovlen = 1};
  DO(send(datagram[1], seventy, 9, 0));
  DO(send(datagram[1], seventy, 30, 0));
  DO(recvmmsg(datagram[0], messages, 3, MSG_DONTWAIT, NULL));
  return scan_msg_len();
}
CASE(msgrcv) {
  struct {
    long type;
    char text[20];
  } message = {1, ""};
  const int queue = msgget(IPC_PRIVATE, 0600);
  DO(msgsnd(queue, &message, sizeof message.text, 0));
  const long text = msgrcv(queue, bytes, 100, 0, 0);
  DO(msgctl(queue, IPC_RMID, NULL));
  return (long)sizeof message.type + text;
}
CASE(getsockname) {
  socklen_t length = 80;
  DO(getsockname(datagram[1], (struct sockaddr*)buffer, &length));
  return length;
}
CASE(getsockopt) {
  socklen_t length = 80;
  DO(getsockopt(stream[0], SOL_SOCKET, SO_TYPE, buffer, &length));
  return length;
}
CASE(socketpair) { return socketpair(AF_UNIX, SOCK_STREAM, 0, buffer) ?: 8; }
CASE(pipe) { return pipe(buffer) ?: 8; }

// Readiness: 2 bytes, the answer, of each of 3 entries; 12 of each of 2 ready descriptors

static void three_entries(void) {
  for (int i = 0; i < 3; i++)
    ((struct pollfd*)buffer)[i] = (struct pollfd){i == 0 ? stream[0] : stream[1], POLLOUT, 0};
}
CASE(poll) {
  three_entries();
  return DO(poll((struct pollfd*)buffer, 3, 0)) * 2;
}
CASE(ppoll) {
  three_entries();
  return DO(ppoll((struct pollfd*)buffer, 3, &(struct timespec){0}, NULL)) * 2;
}
CASE(epoll_wait) {
  const int set = epoll_create1(0);
  for (int i = 0; i < 2; i++)
    DO(epoll_ctl(set, EPOLL_CTL_ADD, stream[i], &(struct epoll_event){.events = EPOLLOUT}));
  return DO(epoll_wait(set, (struct epoll_event*)buffer, 8, 0)) * (long)sizeof(struct epoll_event);
}

// Structures

CASE(getdents64) { return syscall(SYS_getdents64, one_folder, bytes, kBytes); }
CASE(stat) { return syscall(SYS_stat, "data", bytes) ?: (long)sizeof(struct stat); }
CASE(fstat) { return syscall(SYS_fstat, file, bytes) ?: (long)sizeof(struct stat); }
CASE(newfstatat) {
  return syscall(SYS_newfstatat, AT_FDCWD, "data", bytes, 0) ?: (long)sizeof(struct stat);
}
CASE(statx) {
  return statx(AT_FDCWD, "data", 0, STATX_ALL, (struct statx*)buffer) ?: (long)sizeof(struct statx);
}
CASE(fstatfs) { return fstatfs(file, (struct statfs*)buffer) ?: (long)sizeof(struct statfs); }
CASE(readlink) { return readlink("link", bytes, kBytes); }
CASE(getcwd) { return syscall(SYS_getcwd, bytes, kBytes); }
CASE(getrandom) { return syscall(SYS_getrandom, bytes, 40, 0); }
CASE(fionread) { return ioctl(stream[0], FIONREAD, buffer) ?: 4; }
CASE(tcgets) { return syscall(SYS_ioctl, terminal, TCGETS, buffer) ?: 36; }
CASE(clock_gettime) { return syscall(SYS_clock_gettime, CLOCK_REALTIME, bytes) ?: 16; }
CASE(uname) { return uname((struct utsname*)buffer) ?: (long)sizeof(struct utsname); }
CASE(sched_getaffinity) { return syscall(SYS_sched_getaffinity, 0, kBytes, bytes); }
CASE(wait4) {
  const pid_t child = fork();
  if (child == 0)
    _exit(3);
  DO(wait4(child, buffer, 0, (struct rusage*)(buffer + 16)));
  return 4 + sizeof(struct rusage);
}
CASE(sigaction_old) { return syscall(SYS_rt_sigaction, SIGUSR2, NULL, bytes, 8) ?: 32; }
CASE(sigprocmask_old) { return syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, bytes, 8) ?: 8; }
CASE(prctl_get_name) { return prctl(PR_GET_NAME, bytes) ?: 16; }
CASE(prlimit) { return prlimit(0, RLIMIT_NOFILE, NULL, (struct rlimit*)buffer) ?: 16; }
CASE(sysinfo) { return sysinfo((struct sysinfo*)buffer) ?: (long)sizeof(struct sysinfo); }
CASE(times) { return DO(times((struct tms*)buffer)) >= 0 ? (long)sizeof(struct tms) : -1; }

// A futex's word is the program's own: the kernel compares it, and stores into it only the owner
// of a priority-inheriting lock.
CASE(futex_wake) { return syscall(SYS_futex, buffer, FUTEX_WAKE, 1); }
CASE(futex_lock_pi) { return syscall(SYS_futex, buffer, FUTEX_LOCK_PI, 0, NULL) ?: 4; }

// The kernel clears a word of the thread's choice when it ends.
static void* cleared_at_end(void* id) {
  buffer[0] = 1;
  syscall(SYS_set_tid_address, buffer);
  *(int*)id = gettid();
  return NULL;
}
CASE(thread_end) {
  pthread_t thread;
  pthread_attr_t detached;
  static volatile int id;
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  DO(pthread_create(&thread, &detached, cleared_at_end, (void*)&id));
  while (id == 0 || tgkill(getpid(), id, 0) == 0)
    sched_yield();
  return 4;
}

// A handler reads what the kernel tells it, where the interrupted routine had data of its own.
NOINLINE void scan_siginfo(int number, siginfo_t* info, void* context) {
  (void)number, (void)context;
  for (unsigned i = 0; i < sizeof *info / sizeof(int); i++)
    ((volatile int*)info)[i];
}
NOINLINE void write_below_stack(void) {
  char below[20000];
  memset(below, 1, sizeof below);
  __asm__ volatile("" : : "r"(below) : "memory");
}
static void interrupt(void) {
  const struct sigaction action = {.sa_sigaction = scan_siginfo, .sa_flags = SA_SIGINFO};
  sigaction(SIGUSR2, &action, NULL);
  for (int i = 0; i < 3; i++) {
    write_below_stack();
    raise(SIGUSR2);
  }
}

int main(void) {
  file = DO(open("data", O_RDWR | O_CREAT, 0600));
  DO(ftruncate(file, kFileBytes));
  DO(symlink("ten__bytes", "link"));
  DO(mkdir("one", 0700));
  DO(close(open("one/a", O_CREAT, 0600)));
  one_folder = DO(open("one", O_RDONLY));
  terminal = posix_openpt(O_RDWR); // not everywhere
  DO(pipe(ends));
  DO(socketpair(AF_UNIX, SOCK_STREAM, 0, stream));
  DO(socketpair(AF_UNIX, SOCK_DGRAM, 0, datagram));
  DO(bind(datagram[1], (struct sockaddr*)&(struct sockaddr_un){.sun_family = AF_UNIX}, 2)); // any
  DO(setsockopt(datagram[0], SOL_SOCKET, SO_TIMESTAMP, &(int){1}, sizeof(int)));

  RUN(read);
  RUN(read_at_end);
  RUN(pread_unaligned);
  RUN(readv);
  RUN(preadv);
  RUN(preadv2);
  RUN(aio_read);
  RUN(process_vm_readv);
  RUN(process_vm_writev);
  RUN(vmsplice);
  RUN(sendfile_offset);
  RUN(copy_file_range);
  RUN(splice_offset);
  RUN(copy_offsets);
  RUN(eventfd);
  RUN(timerfd);
  RUN(signalfd);
  RUN(inotify);
  RUN(recv);
  RUN(recv_truncated);
  RUN(recvfrom);
  RUN(recvmsg);
  RUN(recvmmsg);
  RUN(msgrcv);
  RUN(getsockname);
  RUN(getsockopt);
  RUN(socketpair);
  RUN(pipe);
  RUN(poll);
  RUN(ppoll);
  RUN(epoll_wait);
  RUN(getdents64);
  RUN(stat);
  RUN(fstat);
  RUN(newfstatat);
  RUN(statx);
  RUN(fstatfs);
  RUN(readlink);
  RUN(getcwd);
  RUN(getrandom);
  RUN(fionread);
  if (terminal >= 0)
    RUN(tcgets);
  RUN(clock_gettime);
  RUN(uname);
  RUN(sched_getaffinity);
  RUN(wait4);
  RUN(sigaction_old);
  RUN(sigprocmask_old);
  RUN(prctl_get_name);
  RUN(prlimit);
  RUN(sysinfo);
  RUN(times);
  RUN(futex_wake);
  RUN(futex_lock_pi);
  RUN(thread_end);
  interrupt();
  return total == -1;
}
