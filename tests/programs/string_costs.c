/* Copies of so many bytes, each by a function of its own: by string instructions of all widths, and
   by the C library, which takes them for some sizes and vector instructions for others. */
#include <stddef.h>
#include <string.h>

enum { MOST = 1 << 20 };
static char from[MOST], to[MOST];

#define COPY(name, instruction, bytes)                                                             \
  __attribute__((noinline)) static void name(size_t n) {                                           \
    size_t count = n / bytes;                                                                      \
    void *destination = to, *source = from;                                                        \
    __asm__ volatile("jmp 1f\n1: rep " instruction                                                 \
                     : "+c"(count), "+D"(destination), "+S"(source)                                \
                     :                                                                             \
                     : "memory");                                                                  \
  }
COPY(copy_bytes, "movsb", 1)
COPY(copy_words, "movsw", 2)
COPY(copy_longs, "movsl", 4)
COPY(copy_quads, "movsq", 8)

__attribute__((noinline)) static void clear(size_t n) {
  void* destination = to;
  __asm__ volatile("jmp 1f\n1: rep stosb" : "+c"(n), "+D"(destination) : "a"(0) : "memory");
}

__attribute__((noinline)) static void copy(size_t n) {
  memcpy(to, from, n);
  __asm__ volatile("" ::: "memory");
}

int main(void) {
  memset(from, 1, sizeof from);
  static const size_t sizes[] = {0,    8,    120,  128,  136,  1024,  1600,  2040,
                                 2048, 3072, 4096, 7600, 8400, 10000, 16384, 65536};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    copy_bytes(sizes[i]);
    copy_words(sizes[i]);
    copy_longs(sizes[i]);
    copy_quads(sizes[i]);
    clear(sizes[i]);
    copy(sizes[i]);
  }
  return 0;
}
