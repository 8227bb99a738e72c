// Machine code with loops, written and written again: at one address first one loop, then a nest of
// two; at another, two loops of which only the code behind the routine's first block differs; at a
// third, a loop whose body is patched. The program prints executions and iterations of each loop,
// by the address of its header.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define CALLS 9

static unsigned char* code;

static void write_code(int at, const unsigned char* bytes, int size) {
  memcpy(code + at, bytes, size);
}

// Executes the code at `at` with n = step, 2 step and so on; returns the sum of all n.
__attribute__((noinline, noipa)) static int call(int at, int step) {
  int sum = 0;
  for (int i = 1; i <= CALLS; i++) {
    ((void (*)(int))(code + at))(step * i);
    sum += step * i;
  }
  return sum;
}

static void print(int header, int executions, int iterations) {
  printf("%#lx %d %d\n", (unsigned long)(code + header), executions, iterations);
}

int main(void) {
  // mov %edi,%eax; 1: dec %eax; jnz 1b; ret
  static const unsigned char one[] = {0x89, 0xf8, 0xff, 0xc8, 0x75, 0xfc, 0xc3};
  // mov $3,%ecx; 1: mov %edi,%eax; 2: dec %eax; jnz 2b; dec %ecx; jnz 1b; ret
  static const unsigned char nest[] = {0xb9, 3,    0,    0,    0,    0x89, 0xf8, 0xff,
                                       0xc8, 0x75, 0xfc, 0xff, 0xc9, 0x75, 0xf6, 0xc3};
  // mov %edi,%eax; test %edi,%edi; jg 1f; ret; .align 16; 1:
  static const unsigned char entry[] = {0x89, 0xf8, 0x85, 0xff, 0x7f, 0x0a, 0xc3};
  // 1: dec %eax; jnz 1b; ret
  static const unsigned char first_rest[] = {0xff, 0xc8, 0x75, 0xfc, 0xc3};
  // nop; 1: sub $1,%eax; jnz 1b; ret
  static const unsigned char second_rest[] = {0x90, 0x83, 0xe8, 1, 0x75, 0xfb, 0xc3};
  // mov %edi,%eax; 1: push %rax; pop %rax; dec %eax; jz 2f; nop; nop; nop; jmp 1b; 2: ret
  static const unsigned char patched[] = {0x89, 0xf8, 0x50, 0x58, 0xff, 0xc8, 0x74,
                                          5,    0x90, 0x90, 0x90, 0xeb, 0xf5, 0xc3};
  static const unsigned char other_nop[] = {0x0f, 0x1f, 0};
  static const unsigned char two_nops[] = {0x90, 0x90};

  code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  write_code(0, one, sizeof one);
  print(2, CALLS, call(0, 2));
  write_code(0, nest, sizeof nest);
  print(7, 3 * CALLS, 3 * call(0, 3));
  print(5, CALLS, 3 * CALLS);

  write_code(256, entry, sizeof entry);
  write_code(256 + 16, first_rest, sizeof first_rest);
  print(256 + 16, CALLS, call(256, 4));
  write_code(256 + 16, second_rest, sizeof second_rest);
  print(256 + 17, CALLS, call(256, 5));

  write_code(512, patched, sizeof patched);
  int rounds = call(512, 2);
  write_code(512 + 8, other_nop, sizeof other_nop);
  rounds += call(512, 3);
  // Without the jump back there is no loop, which is seen behind what was its header: once. The
  // same if it is back: one header is missed.
  write_code(512 + 11, two_nops, sizeof two_nops);
  call(512, 4);
  write_code(512, patched, sizeof patched);
  rounds += call(512, 5);
  print(512 + 2, 3 * CALLS + 1, rounds + 1 - 1);
  return 0;
}
