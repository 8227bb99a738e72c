// Three calls of work(), on 10, 20 and 30 cells, then what argv[1] names: trouble for whoever wants
// to write a profile at the end.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noipa))

static volatile int cells[30];

NOINLINE int work(int count) {
  int sum = 0;
  for (int i = 0; i < count; i++)
    sum += cells[i];
  return sum;
}

static void must(int result) {
  if (result != 0) {
    perror("trouble");
    exit(99);
  }
}

static void limit(int resource, rlim_t soft) {
  struct rlimit limits;
  must(getrlimit(resource, &limits));
  limits.rlim_cur = soft;
  must(setrlimit(resource, &limits));
}

// Each page has its cells in the tool's shadow memory.
NOINLINE void touch(size_t bytes) {
  volatile char* memory =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  must(memory == MAP_FAILED);
  for (size_t i = 0; i < bytes; i += 4096)
    memory[i] = 1;
}

// Has the kernel map the stack, so that it is not what memory runs out for.
NOINLINE int reach_down(size_t bytes) {
  volatile char room[bytes];
  room[0] = 1;
  return room[0];
}

NOINLINE int deeper(int depth) {
  volatile int here = depth;
  return depth == 0 ? 0 : deeper(depth - 1) + here;
}

// Child i has a call of work() on i cells.
static void fork_children(int count) {
  for (int i = 1; i <= count; i++)
    if (fork() == 0) {
      work(i);
      exit(0);
    }
  while (wait(NULL) > 0)
    ;
}

// The kernel kills the process when it is about to rename a file.
static void die_at_rename(void) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rename, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
  must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
  must(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0));
}

int main(int argc, char** argv) {
  const char* trouble = argc > 1 ? argv[1] : "none";
  const char* argument = argc > 2 ? argv[2] : "";
  for (int count = 10; count <= 30; count += 10)
    work(count);
  if (strcmp(trouble, "close") == 0)
    for (int file = 0; file < 2048; file++)
      close(file);
  else if (strcmp(trouble, "close-range") == 0)
    syscall(SYS_close_range, 0, ~0U, 0);
  else if (strcmp(trouble, "chdir") == 0)
    must(chdir(argument));
  else if (strcmp(trouble, "chroot") == 0)
    must(chroot(argument) || chdir("/"));
  else if (strcmp(trouble, "setuid") == 0)
    must(setgid(65534) || setuid(65534));
  else if (strcmp(trouble, "umask") == 0)
    umask(0777);
  else if (strcmp(trouble, "file-size-limit") == 0)
    limit(RLIMIT_FSIZE, 100);
  else if (strcmp(trouble, "open-files-limit") == 0)
    limit(RLIMIT_NOFILE, 0);
  else if (strcmp(trouble, "memory-limit") == 0)
    limit(RLIMIT_AS, 0);
  else if (strcmp(trouble, "touch") == 0)
    touch(strtoul(argument, NULL, 10));
  else if (strcmp(trouble, "deep") == 0) {
    reach_down(48 * strtoul(argument, NULL, 10));
    deeper(atoi(argument));
  } else if (strcmp(trouble, "fork") == 0)
    fork_children(atoi(argument));
  else if (strcmp(trouble, "die-at-rename") == 0)
    die_at_rename();
  else if (strcmp(trouble, "wait") == 0) {
    puts("waiting");
    fflush(stdout);
    pause();
  }
  return 5;
}
