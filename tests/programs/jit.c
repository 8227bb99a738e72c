// Code made at run time, then made anew at the same address: first a routine that reads 10 cells,
// then one that reads 20, and so on, each called three times; the last calls back into the program.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define NOINLINE __attribute__((noinline, noipa))

static int cells[100];
static volatile int cell = 1;

NOINLINE int callback(void) { return cell; }
NOINLINE int call_made(void* code) { return ((int (*)(const int*))code)(cells) + 1; }

//   lea 4*n(%rdi),%rdx; xor %eax,%eax; 1: add (%rdi),%eax; add $4,%rdi; cmp %rdx,%rdi; jne 1b; ret
static void make_sum(unsigned char* code, int n) {
  static const unsigned char sum[] = {0x48, 0x8D, 0x97, 0,    0,    0,    0,
                                      0x31, 0xC0, 0x03, 0x07, 0x48, 0x83, 0xC7,
                                      0x04, 0x48, 0x39, 0xD7, 0x75, 0xF5, 0xC3};
  const int bytes = 4 * n;
  memcpy(code, sum, sizeof sum);
  memcpy(code + 3, &bytes, sizeof bytes);
}

//   sub $8,%rsp; movabs callback,%rax; call *%rax; add $8,%rsp; ret
static void make_callback(unsigned char* code) {
  static const unsigned char call[] = {0x48, 0x83, 0xEC, 8,    0x48, 0xB8, 0,    0,    0, 0,   0,
                                       0,    0,    0,    0xFF, 0xD0, 0x48, 0x83, 0xC4, 8, 0xC3};
  int (*const target)(void) = callback;
  memcpy(code, call, sizeof call);
  memcpy(code + 6, &target, sizeof target);
}

int main(void) {
  unsigned char* code =
      mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int total = 0;
  for (int i = 0; i < 100; i++)
    cells[i] = 1;
  for (int n = 10; n <= 50; n += 10) {
    make_sum(code, n);
    for (int i = 0; i < 3; i++)
      total += call_made(code);
  }
  make_callback(code);
  for (int i = 0; i < 3; i++)
    total += call_made(code);
  printf("%d\n", total);
  return 0;
}
