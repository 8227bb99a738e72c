/* slow_paths WHAT N: N times what one of aprof-trms' slow paths is for. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "must.h"

static volatile int cell;
static char bytes[16] __attribute__((aligned(16)));
static volatile int sink;

#define OUT_OF_LINE __attribute__((noinline, noclone))

static OUT_OF_LINE int look(void) { return cell; }

/* Its callee's cell was last accessed before it was called. */
static OUT_OF_LINE int look_from_afar(void) {
  sink = look();
  return 0;
}

static OUT_OF_LINE int run(int n) {
  int sum = 0;
  for (volatile int i = 0; i < n; i = i + 1)
    sum += n;
  return sum;
}

static OUT_OF_LINE void straddle(int n) {
  for (int i = 0; i < n; i++)
    __asm__ volatile("movq %0, %%rax" : : "m"(bytes[3]) : "rax", "memory");
}

static OUT_OF_LINE void receive(int n) {
  int channel[2];
  char byte = 1;
  DO(pipe(channel));
  for (int i = 0; i < n; i++) {
    DO(write(channel[1], &byte, 1));
    DO(read(channel[0], &bytes[0], 1));
    sink = *(volatile char*)&bytes[0];
  }
}

static OUT_OF_LINE void touch(int n) {
  const size_t chunk = 1 << 16;
  char* memory = mmap(NULL, n * chunk, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    abort();
  for (int i = 0; i < n; i++)
    memory[i * chunk] = 1;
}

int main(int argc, char** argv) {
  if (argc != 3)
    return 2;
  const int n = atoi(argv[2]);
  if (strcmp(argv[1], "first") == 0)
    for (int i = 0; i < n; i++)
      sink = look();
  else if (strcmp(argv[1], "ancestor") == 0)
    for (int i = 0; i < n; i++)
      look_from_afar();
  else if (strcmp(argv[1], "unlike") == 0)
    for (int i = 0; i < n; i++)
      sink = run(3 * (i % 8));
  else if (strcmp(argv[1], "unaligned") == 0)
    straddle(n);
  else if (strcmp(argv[1], "induced") == 0)
    receive(n);
  else
    touch(n);
  return 0;
}
