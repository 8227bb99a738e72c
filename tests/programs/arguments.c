/* Routines whose integer arguments decide what they cost. Prints how often each was called with each
   value that is not negative: its name, that of the argument, value and calls. Each has a caller of its
   own, which compilers leave as it is. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

#define NOINLINE __attribute__((noinline))

enum { VALUES = 600 };
static long seen[20][VALUES];
static const char* names[20];
static int data[VALUES];
static volatile int sink;

static inline void saw(int place, const char* name, long value) {
  names[place] = name;
  if (value >= 0)
    seen[place][value]++;
}

NOINLINE static void work(volatile int* to, long n) {
  for (long i = 0; i < n; i++)
    *to += 1;
}

/* Doubly recursive; the second reads what counts its calls, the first nothing. */
NOINLINE static long fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
NOINLINE static long counted_fib(int n) {
  saw(0, "counted_fib n", n);
  return n < 2 ? n : counted_fib(n - 1) + counted_fib(n - 2);
}

/* The register is wider than the argument, and what is above it is not 0. */
NOINLINE static void narrow(short few, unsigned char letter, signed char no_size) {
  saw(1, "narrow few", few);
  work(&sink, few < 0 ? -few : few + letter + no_size);
}

/* Arguments that are in no integer register, and in one that is no size. */
NOINLINE static double mixed(double factor, const int* from, unsigned long count, float other) {
  saw(2, "mixed count", (long)count);
  double sum = 0;
  for (unsigned long i = 0; i < count; i++)
    sum += from[i % 3] * factor + other;
  return sum;
}

/* More than are kept, and one on the stack. */
NOINLINE static int many(int a, int b, int c, int d, int e, int f, int on_stack) {
  saw(3, "many c", c);
  work(&sink, c + (a & b & d & e & f & on_stack));
  return a + d;
}

/* In an object of two words; the result goes where the hidden first argument says. */
struct pair {
  long first, second;
};
struct large {
  long of[8];
};
NOINLINE static struct large returns_large(int n) {
  saw(4, "returns_large n", n);
  struct large result = {{0}};
  for (int i = 0; i < 2 * n; i++)
    result.of[i & 7] += i;
  return result;
}
NOINLINE static long after_large(struct large unused, int n) {
  saw(5, "after_large n", n);
  work(&sink, n);
  return unused.of[0];
}

/* Goes back to its first instruction, where compilers make a loop of it. */
NOINLINE static int countdown(int n, int step) {
  if (n <= 0)
    return n;
  sink += step;
  return countdown(n - 1, step);
}

/* Tail calls of each other. */
NOINLINE static int tail_end(int n) {
  saw(7, "tail_end n", n);
  work(&sink, 3 * n);
  return n;
}
NOINLINE static int tail_begin(int unused, int n) {
  saw(8, "tail_begin n", n);
  sink = unused;
  return tail_end(n);
}

/* Left by a longjmp. */
static jmp_buf away;
NOINLINE static void jumps(int n) {
  saw(9, "jumps n", n);
  work(&sink, n);
  if (n % 3 == 0)
    longjmp(away, 1);
}

/* Interrupted by a handler that has arguments of its own. */
NOINLINE static void handled(int n) {
  saw(10, "handled n", n);
  work(&sink, n);
}
static void handler(int number) { handled(number); }
NOINLINE static void interrupted(int n) {
  saw(11, "interrupted n", n);
  work(&sink, n);
  raise(SIGUSR1);
}

/* Reads as many cells: the points by input size are those by argument. */
NOINLINE static int reads(const int* from, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += from[i];
  return sum;
}

/* Its cost has nothing to do with its argument. */
NOINLINE static int lookup(int key) { return data[key & 255] + (key & 1); }

int main(int argc, char** argv) {
  (void)argv;
  for (int i = 0; i < VALUES; i++)
    data[i] = argc * i;
  signal(SIGUSR1, handler);
  struct large large = {{0}};
  long total = fib(16) + counted_fib(14);
  for (volatile int n = 1; n <= 60; n++) {
    narrow((short)(n % 7 == 0 ? -n : n), 200, -1);
    total += (long)mixed(1.5, data, (unsigned long)n, 2.5F);
    total += many(n * 1000, 2, n, 4, 5, 6, 7);
    large = returns_large(n);
    total += after_large(large, n) + countdown(n, 2) + tail_begin(-5, n);
    if (setjmp(away) == 0)
      jumps(n);
    interrupted(n);
    total += reads(data, n);
  }
  for (int i = 0; i < 20000; i++)
    total += lookup(i * 7919);
  for (int place = 0; place < 20; place++)
    for (int value = 0; value < VALUES; value++)
      if (seen[place][value] > 0)
        printf("%s %d %ld\n", names[place], value, seen[place][value]);
  return total == 0;
}
