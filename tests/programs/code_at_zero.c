// Has code at address 0, where the null function pointer points to: calls it, returns and jumps
// there, and goes on from there by a jump. Says "denied" where the kernel maps nothing at 0.
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define NOINLINE __attribute__((noinline))

NOINLINE static void called_there(void) { __asm__ volatile(""); }
NOINLINE static void goes_on(void) { __asm__ volatile(""); }

NOINLINE static void calls(void (*function)(void)) {
  function();
  __asm__ volatile(""); // not a tail call
}

// Each call of the pointer is from the same instruction.
NOINLINE static void call_all(void (*const* functions)(void), int count) {
  for (int i = 0; i < count; i++)
    calls(functions[i]);
}

// `ret` as a jump to the address.
NOINLINE static void returns_to(void* address) {
  __asm__ volatile("lea 1f(%%rip), %%rax\n\tpush %%rax\n\tpush %0\n\tret\n1:" ::"r"(address)
                   : "rax", "memory");
}

static unsigned char* put(unsigned char* at, const void* bytes, int count) {
  memcpy(at, bytes, (size_t)count);
  return at + count;
}

// Code that calls or jumps to a function by rax, and then returns.
static void write_code(unsigned char* at, void (*function)(void), int jumps) {
  at = put(at, "\x48\xb8", 2); // mov $function, %rax
  at = put(at, &function, sizeof function);
  put(at, jumps ? "\xff\xe0" : "\xff\xd0\xc3", 3);
}

int main(void) {
  void* const page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                          MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) {
    puts("denied");
    return 0;
  }
  unsigned char* volatile zero = page;
  write_code(zero, called_there, 0);
  write_code(zero + 64, goes_on, 1);
  void (*const functions[])(void) = {(void (*)(void))page, called_there, (void (*)(void))page,
                                     (void (*)(void))(zero + 64)};
  for (int round = 0; round < 1000; round++)
    call_all(functions, 4);
  for (int round = 0; round < 10; round++)
    returns_to(page);
  puts("done");
}
