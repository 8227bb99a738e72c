// A signal handler makes the thread go on with a call that it did not make, as run-time libraries
// do to preempt it.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <ucontext.h>

#define NOINLINE __attribute__((noinline, noclone))

static volatile long sink;

NOINLINE void injected(void) {
  for (int i = 0; i < 1000; i++)
    sink = i;
}

// Called on top of the red zone, and keeps what a call need not keep.
void inject(void);
__asm__(".text\n.globl inject\n.type inject,@function\ninject:\n"
        "pushf\npush %rax\npush %rcx\npush %rdx\npush %rsi\npush %rdi\npush %r8\npush %r9\n"
        "push %r10\npush %r11\npush %rbp\nmov %rsp,%rbp\nand $-16,%rsp\n"
        "call injected\n"
        "mov %rbp,%rsp\npop %rbp\npop %r11\npop %r10\npop %r9\npop %r8\npop %rdi\npop %rsi\n"
        "pop %rdx\npop %rcx\npop %rax\npopf\nret $128\n"
        ".size inject,.-inject\n");

static void handler(int number, siginfo_t* info, void* context) {
  (void)number, (void)info;
  greg_t* registers = ((ucontext_t*)context)->uc_mcontext.gregs;
  registers[REG_RSP] -= 128 + 8;
  *(greg_t*)registers[REG_RSP] = registers[REG_RIP];
  registers[REG_RIP] = (greg_t)inject;
}

static NOINLINE void interrupted(void) {
  raise(SIGUSR1);
  sink++;
}

int main(void) {
  struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
  sigaction(SIGUSR1, &action, NULL);
  for (int i = 0; i < 3; i++)
    interrupted();
  puts("done");
  return 0;
}
