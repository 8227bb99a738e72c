// Code made at run time that takes nearly all of the cost: a loop of 500,000 iterations.
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>

int main(void) {
  //   mov $500000,%eax; 1: dec %eax; jnz 1b; ret
  static const unsigned char loop[] = {0xB8, 0x20, 0xA1, 0x07, 0, 0xFF, 0xC8, 0x75, 0xFC, 0xC3};
  void* const code =
      mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memcpy(code, loop, sizeof loop);
  volatile int left = ((int (*)(void))code)(); // no tail call, which would make it main's
  return left;
}
