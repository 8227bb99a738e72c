// Routines that share code by which they call others, in machine code: one begins in it, one jumps
// into it, one is entered by a tail call. Without symbols nothing tells whose it is but the calls.
#include <stdio.h>

#define NOINLINE __attribute__((noinline, noclone))

NOINLINE long leaf(long n) {
  __asm__ volatile("" : "+r"(n));
  return n + 1;
}

long one(long n);
long two(long n);
long three(long n);
__asm__(".text\n"
        "one: sub $8, %rsp\n"
        "  mov %rdi, %rax\n"
        ".Lshared: call leaf\n"
        "  mov %rax, %rdi\n"
        "  call leaf\n"
        "  add $8, %rsp\n"
        "  ret\n"
        "two: sub $8, %rsp\n"
        "  jmp .Lshared\n"
        "three: inc %rdi\n"
        "  jmp two\n");

NOINLINE static long repeat(long (*routine)(long), int times) {
  long sum = 0;
  for (int i = 0; i < times; i++)
    sum += routine(i);
  return sum;
}

int main(void) {
  long sum = 0;
  for (int round = 0; round < 20; round++)
    sum += repeat(one, 30) + repeat(two, 20) + repeat(three, 10) + leaf(round);
  printf("%ld\n", sum);
}
