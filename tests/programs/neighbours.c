// Routines in assembly that access neighbouring cells in one basic block, in orders that matter.
// Each gets memory that main wrote.
#include <stddef.h>
#include <string.h>

#define ROUTINE(name, code)                                                                        \
  void name(char* memory, long zero);                                                              \
  asm(".pushsection .text\n"                                                                       \
      ".globl " #name "\n"                                                                         \
      ".type " #name ", @function\n" #name ":\n" code "  ret\n"                                    \
      ".size " #name ", . - " #name "\n"                                                           \
      ".popsection\n");
#define LOAD(offset) "  add " #offset "(%rdi), %rax\n" // no load that is of no use
#define STORE(offset) "  mov %rax, " #offset "(%rdi)\n"

ROUTINE(up, LOAD(0) LOAD(8) LOAD(16) LOAD(40) LOAD(0))
ROUTINE(down, LOAD(56) LOAD(48) LOAD(40))
ROUTINE(inside_out, LOAD(24) LOAD(32) LOAD(16) LOAD(40) LOAD(8))
ROUTINE(many, LOAD(0) LOAD(8) LOAD(16) LOAD(24) LOAD(32) LOAD(40) LOAD(48) LOAD(56) LOAD(64)
            LOAD(72) LOAD(80) LOAD(88))
ROUTINE(of_all_sizes, "  add (%rdi), %eax\n  add 4(%rdi), %rax\n  movups 12(%rdi), %xmm0\n"
                      "  add 28(%rdi), %eax\n  add 33(%rdi), %al\n  add 38(%rdi), %ax\n")
ROUTINE(overlapping, LOAD(4) LOAD(0) LOAD(8))
ROUTINE(unaligned, LOAD(1) LOAD(9))
ROUTINE(across_chunks, LOAD(65520) LOAD(65528) LOAD(65536))
ROUTINE(moved_pointer, LOAD(0) "  lea 8(%rdi), %rdi\n" LOAD(0) "  sub $16, %rdi\n" LOAD(16))
ROUTINE(by_another, LOAD(0) "  lea (%rdi,%rsi), %rdx\n  add 8(%rdx), %rax\n" LOAD(8))
ROUTINE(elsewhere, LOAD(0) "  mov %rdi, %rdx\n  or $4096, %rdx\n  add 8(%rdx), %rax\n"
                   STORE(16) LOAD(8))
ROUTINE(after_stores, STORE(0) STORE(8) STORE(16) LOAD(0) LOAD(8) LOAD(16) LOAD(24))
ROUTINE(before_store, LOAD(0) STORE(8) LOAD(8))
ROUTINE(between_stores, STORE(0) LOAD(8) STORE(8) LOAD(0))
ROUTINE(store_by_another, "  lea (%rdi,%rsi), %rdx\n" LOAD(0) "  mov %rax, 8(%rdx)\n" LOAD(8))
ROUTINE(left_between, LOAD(0) "  test %rdi, %rdi\n  jnz 1f\n" LOAD(8) "1:\n")
ROUTINE(saved, "  push %rbx\n  push %rbp\n  push %r12\n  sub $24, %rsp\n  mov %rax, (%rsp)\n"
               "  mov %rax, 8(%rsp)\n  add $24, %rsp\n  pop %r12\n  pop %rbp\n  pop %rbx\n")
ROUTINE(below_stack, "  add -16(%rsp), %rax\n  push %rax\n  push %rax\n  pop %rcx\n  pop %rdx\n")

enum { kChunk = 1 << 16 };
static char bytes[3 * kChunk];

#define CALL(name) memset(memory, 1, 2 * kChunk), name(memory, 0)

int main(void) {
  char* memory = (char*)(((size_t)bytes + kChunk - 1) & ~(size_t)(kChunk - 1));
  CALL(up);
  CALL(down);
  CALL(inside_out);
  CALL(many);
  CALL(of_all_sizes);
  CALL(overlapping);
  CALL(unaligned);
  CALL(across_chunks);
  CALL(moved_pointer);
  CALL(by_another);
  CALL(elsewhere);
  CALL(after_stores);
  CALL(before_store);
  CALL(between_stores);
  CALL(store_by_another);
  CALL(left_between);
  CALL(saved);
  CALL(below_stack);
  return 0;
}
