// Routines in assembly: several entry points, local subroutines, jump tables, calls and returns
// that are none. Each reads cells of `cells`, so that its input tells what was attributed to it.
#include <stdio.h>

int cells[65];

// Falls from two_entries_long into two_entries_short, which loops back to its own first
// instruction: `n` rounds, one cell each.
int two_entries_long(long n);
int two_entries_short(long n);
asm(".pushsection .text\n"
    ".globl two_entries_long, two_entries_short\n"
    ".type two_entries_long, @function\n"
    ".type two_entries_short, @function\n"
    "two_entries_long:\n"
    "  mov cells+252(%rip), %rax\n" // two cells that the other entry does not read
    "  mov %rax, %rsi\n"
    "two_entries_short:\n"
    "  mov %rdi, %rcx\n"
    "  dec %rdi\n"
    "  lea cells(%rip), %rdx\n"
    "  add (%rdx,%rcx,4), %eax\n"
    "  test %rdi, %rdi\n"
    "  jnz two_entries_short\n"
    "  ret\n"
    ".size two_entries_long, two_entries_short - two_entries_long\n"
    ".size two_entries_short, . - two_entries_short\n"
    ".popsection\n");

// Calls a subroutine within itself twice, which has no symbol and so is no routine; finds its own
// address by a call to the next instruction; goes on by pushing an address and returning to it.
int inner_calls(void);
asm(".pushsection .text\n"
    ".globl inner_calls\n"
    ".type inner_calls, @function\n"
    "inner_calls:\n"
    "  call .Linner\n"
    "  call .Linner\n"
    "  call .Lnext\n"
    ".Lnext:\n"
    "  pop %rax\n"
    "  lea .Lgo_on(%rip), %rdx\n"
    "  push %rdx\n"
    "  ret\n"
    "  ud2\n"
    ".Lgo_on:\n"
    "  mov cells+4(%rip), %eax\n"
    "  ret\n"
    ".Linner:\n"
    "  mov cells(%rip), %eax\n"
    "  ret\n"
    ".size inner_calls, . - inner_calls\n"
    ".popsection\n");

// Pushes the address of another routine and returns to it: a tail call.
int enter_by_return(void);
int entered_by_return(void);
asm(".pushsection .text\n"
    ".globl enter_by_return, entered_by_return\n"
    ".type enter_by_return, @function\n"
    ".type entered_by_return, @function\n"
    "enter_by_return:\n"
    "  lea entered_by_return(%rip), %rax\n"
    "  push %rax\n"
    "  ret\n"
    ".size enter_by_return, . - enter_by_return\n"
    "entered_by_return:\n"
    "  mov cells+8(%rip), %eax\n"
    "  ret\n"
    ".size entered_by_return, . - entered_by_return\n"
    ".popsection\n");

// Takes its argument from behind the call and returns beyond it: not to the return address.
int argument_in_code(void);
int skip_argument(void);
asm(".pushsection .text\n"
    ".globl argument_in_code, skip_argument\n"
    ".type argument_in_code, @function\n"
    ".type skip_argument, @function\n"
    "argument_in_code:\n"
    "  call skip_argument\n"
    "  .quad 42\n"
    "  mov cells+12(%rip), %eax\n"
    "  ret\n"
    ".size argument_in_code, . - argument_in_code\n"
    "skip_argument:\n"
    "  addq $8, (%rsp)\n"
    "  mov cells+16(%rip), %eax\n"
    "  ret\n"
    ".size skip_argument, . - skip_argument\n"
    ".popsection\n");

// Removes its caller's return address as well: returns for two.
int returns_for_two(void);
int calls_it(void);
asm(".pushsection .text\n"
    ".globl returns_for_two, calls_it\n"
    ".type returns_for_two, @function\n"
    ".type calls_it, @function\n"
    "calls_it:\n"
    "  call returns_for_two\n"
    "  ud2\n"
    ".size calls_it, . - calls_it\n"
    "returns_for_two:\n"
    "  mov cells+20(%rip), %eax\n"
    "  add $8, %rsp\n"
    "  ret\n"
    ".size returns_for_two, . - returns_for_two\n"
    ".popsection\n");

// A routine with no symbol at all, neither global nor local, between two that have one.
extern const char after_nameless[];
asm(".pushsection .text\n"
    ".type after_nameless, @function\n"
    "  nop\n"
    ".Lnameless:\n"
    "  mov cells+24(%rip), %eax\n"
    "  add cells+28(%rip), %eax\n"
    "  add cells+32(%rip), %eax\n"
    "  ret\n"
    "after_nameless:\n"
    "  ret\n"
    ".size after_nameless, . - after_nameless\n"
    ".globl calls_nameless\n"
    ".type calls_nameless, @function\n"
    "calls_nameless:\n"
    "  call .Lnameless\n"
    "  ret\n"
    ".size calls_nameless, . - calls_nameless\n"
    ".popsection\n");
int calls_nameless(void);

__attribute__((noinline, noipa)) void after(void) {}

int main(void) {
  for (int i = 0; i < 65; i++)
    cells[i] = i;
  int total = 0;
  for (long n = 1; n <= 3; n++)
    total += two_entries_long(10 * n) + two_entries_short(10 * n);
  for (int i = 0; i < 7; i++) {
    total += inner_calls() + enter_by_return() + argument_in_code() + calls_it();
    total += calls_nameless();
    after();
  }
  printf("%d\n", total);
  return 0;
}
