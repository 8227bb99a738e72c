// Starts other programs, or itself again, in every way there is: the first argument says how.
#define _GNU_SOURCE
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noipa))

extern char** environ;
static volatile int sink;
static char* own_path;

NOINLINE void in_parent(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}
NOINLINE void in_child(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}
NOINLINE void in_new_image(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

static char** new_image(void) {
  static char* arguments[] = {NULL, "new-image", NULL};
  arguments[0] = own_path;
  return arguments;
}
static int status_of(pid_t child) {
  int status = -1;
  if (child < 0 || waitpid(child, &status, 0) != child)
    abort();
  return WEXITSTATUS(status);
}

// While the child runs, `pending` is pending in both.
NOINLINE void fork_child(void) {
  const pid_t child = fork();
  if (child == 0) {
    in_child(20);
    exit(4);
  }
  if (status_of(child) != 4)
    abort();
}
NOINLINE void pending(void) {
  in_parent(10);
  fork_child();
  in_parent(10);
}
NOINLINE void generations(int n) { // each process has a child but the last
  in_parent(n);
  if (n == 0)
    return;
  const pid_t child = fork();
  if (child == 0) {
    generations(n - 1);
    exit(0);
  }
  status_of(child);
}
NOINLINE void vfork_exec(void) {
  char** arguments = new_image();
  const pid_t child = vfork();
  if (child == 0) {
    execve(own_path, arguments, environ);
    _exit(1);
  }
  if (status_of(child) != 6)
    abort();
}
NOINLINE void vfork_exit(void) {
  const pid_t child = vfork();
  if (child == 0)
    _exit(3);
  if (status_of(child) != 3)
    abort();
}
NOINLINE void fork_exec(void) {
  const pid_t child = fork();
  if (child == 0) {
    in_child(20);
    execve(own_path, new_image(), environ);
    _exit(1);
  }
  if (status_of(child) != 6)
    abort();
}
NOINLINE void spawn(void) {
  pid_t child;
  if (posix_spawn(&child, own_path, NULL, NULL, new_image(), environ) != 0 || status_of(child) != 6)
    abort();
}
NOINLINE void by_system(void) {
  char command[5000];
  snprintf(command, sizeof command, "'%s' new-image", own_path);
  if (WEXITSTATUS(system(command)) != 6)
    abort();
}
NOINLINE int read_lines(FILE* from) { // 50 cells
  char line[201];
  int lines = 0;
  while (fgets(line, sizeof line, from) != NULL)
    lines++;
  return lines;
}
NOINLINE void by_popen(void) {
  char command[5000];
  snprintf(command, sizeof command, "'%s' new-image", own_path);
  FILE* from = popen(command, "r");
  if (read_lines(from) != 1 || WEXITSTATUS(pclose(from)) != 6)
    abort();
}
NOINLINE void exec_fails(void) {
  static char* arguments[] = {"nothing", NULL};
  execve("/nonexistent", arguments, environ);
  in_parent(30);
}
NOINLINE void exec_refused(void) { // not known before
  static char* arguments[] = {"/", NULL};
  execve("/", arguments, environ);
  in_parent(30);
}
NOINLINE void exec_self(void) { execve(own_path, new_image(), environ); }

int main(int argc, char** argv) {
  own_path = argv[0];
  const char* how = argc > 1 ? argv[1] : "";
  if (strcmp(how, "new-image") == 0) {
    in_new_image(15);
    puts("hello");
    return 6;
  }
  in_parent(100);
  if (strcmp(how, "fork") == 0)
    pending();
  else if (strcmp(how, "generations") == 0)
    generations(4);
  else if (strcmp(how, "vfork-exec") == 0)
    vfork_exec();
  else if (strcmp(how, "vfork-exit") == 0)
    vfork_exit();
  else if (strcmp(how, "fork-exec") == 0)
    fork_exec();
  else if (strcmp(how, "posix_spawn") == 0)
    spawn();
  else if (strcmp(how, "system") == 0)
    by_system();
  else if (strcmp(how, "popen") == 0)
    by_popen();
  else if (strcmp(how, "exec-fails") == 0)
    exec_fails();
  else if (strcmp(how, "exec-refused") == 0)
    exec_refused();
  else if (strcmp(how, "exec") == 0)
    exec_self();
  in_parent(100);
  return 0;
}
