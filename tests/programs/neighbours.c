// Routines in assembly that access neighbouring cells in one basic block, or by one repeated string
// instruction, in orders that matter. Each gets memory that main wrote.
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

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
ROUTINE(elsewhere,
        LOAD(0) "  mov %rdi, %rdx\n  or $4096, %rdx\n  add 8(%rdx), %rax\n" STORE(16) LOAD(8))
ROUTINE(after_stores, STORE(0) STORE(8) STORE(16) LOAD(0) LOAD(8) LOAD(16) LOAD(24))
ROUTINE(before_store, LOAD(0) STORE(8) LOAD(8))
ROUTINE(between_stores, STORE(0) LOAD(8) STORE(8) LOAD(0))
ROUTINE(store_by_another, "  lea (%rdi,%rsi), %rdx\n" LOAD(0) "  mov %rax, 8(%rdx)\n" LOAD(8))
ROUTINE(left_between, LOAD(0) "  test %rdi, %rdi\n  jnz 1f\n" LOAD(8) "1:\n")
ROUTINE(saved, "  push %rbx\n  push %rbp\n  push %r12\n  sub $24, %rsp\n  mov %rax, (%rsp)\n"
               "  mov %rax, 8(%rsp)\n  add $24, %rsp\n  pop %r12\n  pop %rbp\n  pop %rbx\n")
ROUTINE(below_stack, "  add -16(%rsp), %rax\n  push %rax\n  push %rax\n  pop %rcx\n  pop %rdx\n")
ROUTINE(modified, "  incb (%rdi)\n  addw $1, 4(%rdi)\n  addl $1, 8(%rdi)\n  addq $1, 16(%rdi)\n"
                  "  movups 32(%rdi), %xmm0\n  paddb %xmm0, %xmm0\n  movups %xmm0, 32(%rdi)\n")
ROUTINE(modified_twice, "  incl (%rdi)\n  incl (%rdi)\n" LOAD(0))
ROUTINE(modified_between_cells, "  addw $1, 3(%rdi)\n  addq $1, 13(%rdi)\n")
ROUTINE(modified_across_chunks, "  addl $1, 65534(%rdi)\n" LOAD(65528))
ROUTINE(modified_in_part, "  mov (%rdi), %rax\n  mov %eax, (%rdi)\n  mov %eax, 8(%rdi)\n" LOAD(8))
ROUTINE(modified_after_others, LOAD(0) "  mov %eax, 8(%rdi)\n  mov %rax, (%rdi)\n" LOAD(8))
ROUTINE(told_after, LOAD(0) LOAD(64) LOAD(8))
ROUTINE(stored_before, "  mov %eax, (%rdi)\n  incl (%rdi)\n")

#define MOVES(from, to, how) "  lea " #from "(%rdi), %rsi\n  lea " #to "(%rdi), %rdi\n  " how "\n"
ROUTINE(copied, "  mov $100, %ecx\n" MOVES(0, 32768, "rep movsb"))
ROUTINE(copied_by_2, "  mov $10, %ecx\n" MOVES(0, 32768, "rep movsw"))
ROUTINE(copied_by_4, "  mov $10, %ecx\n" MOVES(0, 32768, "rep movsl"))
ROUTINE(copied_by_8, "  mov $10, %ecx\n" MOVES(0, 32768, "rep movsq"))
ROUTINE(copied_down,
        "  mov $100, %ecx\n" MOVES(
            99, 32867,
            "std\n  rep movsb\n  cld") "  sub $99, %rsi\n  add (%rsi), %rax\n" LOAD(-32768) LOAD(0))
ROUTINE(copied_across_chunks, "  mov $50000, %ecx\n" MOVES(50000, 0, "rep movsb"))
ROUTINE(copied_nothing, "  xor %ecx, %ecx\n" MOVES(0, 32768, "rep movsb") LOAD(0))
ROUTINE(spread, "  mov $40, %ecx\n" MOVES(0, 1, "rep movsb"))
ROUTINE(copied_beside, "  mov $10, %ecx\n" MOVES(0, 10, "jmp 1f\n1:  rep movsb"))
ROUTINE(shifted, "  mov $40, %ecx\n" MOVES(2, 0, "rep movsb"))
ROUTINE(shifted_far, "  mov $8000, %ecx\n" MOVES(20, 0, "rep movsb"))
ROUTINE(filled, "  mov %rdi, %rdx\n  mov $10000, %ecx\n  rep stosb\n"
                "  add 9992(%rdx), %rax\n  add (%rdx), %rax\n" LOAD(0))
ROUTINE(filled_in_a_loop, "  mov $3, %edx\n1:  mov $25, %ecx\n  rep stosl\n  add $100, %rdi\n"
                          "  dec %edx\n  jnz 1b\n" LOAD(-104) LOAD(-8))
ROUTINE(copied_on_faults, "  mov $8000, %ecx\n" MOVES(0, 33000, "rep movsb"))

enum { kChunk = 1 << 16, kPage = 4096 };
static char bytes[3 * kChunk];

static char* protected;

static void unprotect(int signal) {
  (void)signal;
  copied(protected - kPage - 32768, 0);
  mprotect(protected, kPage, PROT_READ | PROT_WRITE);
}

static void* modify(void* memory) {
  modified(memory, 0);
  told_after((char*)memory + 128, 0);
  return NULL;
}
ROUTINE(take, "  lea 256(%rdi), %rdx\n1:  add (%rdi), %eax\n  add $4, %rdi\n  cmp %rdx, %rdi\n"
              "  jne 1b\n")

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
  CALL(modified);
  CALL(modified_twice);
  CALL(modified_between_cells);
  CALL(modified_across_chunks);
  CALL(modified_in_part);
  CALL(modified_after_others);
  CALL(told_after);
  CALL(stored_before);
  CALL(copied);
  CALL(copied_by_2);
  CALL(copied_by_4);
  CALL(copied_by_8);
  CALL(copied_down);
  CALL(copied_across_chunks);
  CALL(copied_nothing);
  CALL(spread);
  CALL(copied_beside);
  CALL(shifted);
  CALL(shifted_far);
  CALL(filled);
  CALL(filled_in_a_loop);
  memset(memory, 1, 2 * kChunk);
  pthread_t thread;
  pthread_create(&thread, NULL, modify, memory);
  pthread_join(thread, NULL);
  take(memory, 0);
  memset(memory, 1, 2 * kChunk);
  signal(SIGSEGV, unprotect);
  protected = memory + 32768 + kPage;
  mprotect(protected, kPage, PROT_READ);
  copied_on_faults(memory, 0);
  return 0;
}
