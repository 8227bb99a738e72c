// Stacks that the program switches by itself, in the ways that libraries do: ucontext, a hand-made
// switch, a call on another stack; and what must not be taken for one.
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#define NOINLINE __attribute__((noinline, noclone))

static volatile long sink;

static NOINLINE void work(int rounds) {
  for (int i = 0; i < rounds; i++)
    sink = i;
}

// 1. A generator on a small stack right beside others, 16 KiB each, as in makecontext(3).

static char stacks[3][16384] __attribute__((aligned(16)));
static ucontext_t main_context, generator_context;
static int value;

static NOINLINE int take_value(void) { return value; }

static void generate(void) {
  for (int i = 0; i < 20; i++) {
    work(1000);
    value = i;
    swapcontext(&generator_context, &main_context);
  }
}

static void make(ucontext_t* context, char* stack, size_t bytes, void (*body)(void)) {
  getcontext(context);
  context->uc_stack.ss_sp = stack;
  context->uc_stack.ss_size = bytes;
  context->uc_link = &main_context;
  makecontext(context, body, 0);
}

static NOINLINE void next_value(void) { swapcontext(&main_context, &generator_context); }

static NOINLINE int consume(void) {
  int sum = 0;
  for (int i = 0; i < 20; i++) {
    next_value();
    sum += take_value();
  }
  return sum;
}

// 2. One coroutine after the other on the same stack; some are left unfinished.

static void short_lived(void) { work(10); }
static void abandoned(void) {
  work(10);
  swapcontext(&generator_context, &main_context);
}

static NOINLINE void one_after_another(void) {
  for (int i = 0; i < 30; i++) {
    make(&generator_context, stacks[1], sizeof stacks[1], i % 3 == 0 ? abandoned : short_lived);
    swapcontext(&main_context, &generator_context);
  }
}

// 3. A hand-made switch: the stack pointer through memory, `ret` to start and to go on.

void switch_stack(void** save, void* to);
__asm__(".text\n.globl switch_stack\n.type switch_stack,@function\nswitch_stack:\n"
        "push %rbp\npush %rbx\npush %r12\npush %r13\npush %r14\npush %r15\n"
        "mov %rsp,(%rdi)\nmov %rsi,%rsp\n"
        "pop %r15\npop %r14\npop %r13\npop %r12\npop %rbx\npop %rbp\nret\n"
        ".size switch_stack,.-switch_stack\n");

static void *main_sp, *fiber_sp;
static int rounds_left;

static NOINLINE void at_depth(int depth) {
  if (depth > 0)
    at_depth(depth - 1);
  else
    switch_stack(&fiber_sp, main_sp);
  sink++; // no tail call
}

static void fiber(void) {
  for (;;)
    at_depth(5);
}

static void* prepared(char* stack, size_t bytes, void (*body)(void)) {
  void** sp = (void**)(stack + bytes - 64);
  *sp = (void*)body; // what switch_stack returns to, above six registers
  return memset(sp - 6, 0, 6 * sizeof *sp);
}

static NOINLINE void resume_fiber(void) { switch_stack(&main_sp, fiber_sp); }

static NOINLINE void run_fibers(void) {
  for (int fibers = 0; fibers < 4; fibers++) { // again on the same stack
    fiber_sp = prepared(stacks[2], sizeof stacks[2], fiber);
    for (rounds_left = 10; rounds_left > 0; rounds_left--)
      resume_fiber();
  }
}

// 4. A call on another stack, and back by the frame pointer.

void call_on(void* stack_end, void (*routine)(void));
__asm__(".text\n.globl call_on\n.type call_on,@function\ncall_on:\n"
        "push %rbp\nmov %rsp,%rbp\nmov %rdi,%rsp\ncall *%rsi\nmov %rbp,%rsp\npop %rbp\nret\n"
        ".size call_on,.-call_on\n");

static void elsewhere(void) { work(500); }

static NOINLINE void call_elsewhere(void) {
  char* stack = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < 5; i++)
    call_on(stack + 65536, elsewhere);
  munmap(stack, 65536);
}

// 5. longjmp, variable-length arrays and the like on a coroutine's stack are no switches.

// Room is made by way of a register, as interpreters do; the jump ends a block.
void make_room(void (*routine)(void));
__asm__(".text\n.globl make_room\n.type make_room,@function\nmake_room:\n"
        "push %rbx\nmov %rsp,%rbx\nlea -80(%rsp),%rax\njmp 1f\n"
        "1:mov %rax,%rsp\ncall *%rdi\nmov %rbx,%rsp\npop %rbx\nret\n"
        ".size make_room,.-make_room\n");
static void in_made_room(void) { work(20); }

static jmp_buf target;
static NOINLINE void jump(int depth) {
  if (depth == 0)
    longjmp(target, 1);
  jump(depth - 1);
  sink++;
}
static NOINLINE void variable_length(int bytes) {
  for (int i = 1; i < 4; i++) {
    char array[bytes * i];
    memset(array, i, sizeof array);
    sink = array[bytes / 2];
    work(1);
  }
}
static void jumps_within(void) {
  for (volatile int i = 0; i < 5; i++) {
    if (setjmp(target) == 0)
      jump(3);
    variable_length(100 + i);
    make_room(in_made_room);
  }
}
static NOINLINE void run_jumps_within(void) {
  static char stack[65536];
  make(&generator_context, stack, sizeof stack, jumps_within);
  swapcontext(&main_context, &generator_context);
}

// 6. A coroutine that began in one thread goes on in another.

static NOINLINE void second_half(void) { work(300); }
static void traveller(void) {
  work(100);
  switch_stack(&fiber_sp, main_sp);
  second_half();
  switch_stack(&fiber_sp, main_sp);
}
static void* resume_in_thread(void* unused) {
  resume_fiber();
  return unused;
}
static NOINLINE void travel(void) {
  static char stack[32768];
  pthread_t thread;
  fiber_sp = prepared(stack, sizeof stack, traveller);
  resume_fiber();
  pthread_create(&thread, NULL, resume_in_thread, NULL);
  pthread_join(thread, NULL);
}

// 7. More at once than are kept apart.

static void waiting(void) {
  work(1);
  switch_stack(&fiber_sp, main_sp);
  work(2);
  switch_stack(&fiber_sp, main_sp);
}
static NOINLINE void many(int count) {
  enum { kBytes = 8192 };
  char* stack = malloc((size_t)count * kBytes);
  void** sp = malloc((size_t)count * sizeof *sp);
  for (int i = 0; i < count; i++)
    sp[i] = prepared(stack + (size_t)i * kBytes, kBytes, waiting);
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < count; i++) {
      fiber_sp = sp[i];
      resume_fiber();
      sp[i] = fiber_sp;
    }
  free(sp);
  free(stack);
}

int main(int argc, char** argv) {
  make(&generator_context, stacks[0], sizeof stacks[0], generate);
  int sum = consume();
  one_after_another();
  run_fibers();
  call_elsewhere();
  run_jumps_within();
  travel();
  many(argc > 1 ? atoi(argv[1]) : 100);
  printf("%d\n", sum);
  return 0;
}
