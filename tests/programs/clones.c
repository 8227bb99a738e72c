/* Copies and pieces of functions as compilers name them, and namesakes that are none. Their names are
   given here, so that every compiler makes them; gcc makes the like with -O2. */
#include <stdio.h>

#define NOINLINE __attribute__((noinline, noclone))

static volatile long sink;

NOINLINE static void burn(int rounds) {
  for (int i = 0; i < rounds; i++)
    sink += i;
}

/* A piece, called by the function itself and by a caller into which the rest was inlined. */
NOINLINE long work_piece(int n) __asm__("work.part.0");
NOINLINE long work_piece(int n) {
  burn(n);
  return n;
}
NOINLINE long work(int n) {
  if (n == 0)
    return 0;
  const long result = work_piece(n);
  return result + 1;
}

/* Recursion by way of a piece: each call of the function is one, of the piece none. */
NOINLINE long down_piece(int n) __asm__("down.part.0");
NOINLINE long down(int n) {
  if (n == 0)
    return 0;
  const long below = down_piece(n);
  return below + 1;
}
NOINLINE long down_piece(int n) {
  const long below = down(n - 1);
  return below + 1;
}

/* The piece ends with a call: a jump. */
NOINLINE long ends_in_call_piece(int n) __asm__("ends_in_call.part.0.isra.0");
NOINLINE long last(int n) {
  burn(n);
  return n;
}
NOINLINE long ends_in_call_piece(int n) {
  sink += n;
  return last(n);
}
NOINLINE long ends_in_call(int n) {
  const long result = ends_in_call_piece(n);
  return result + 1;
}

/* Copies: a call of a copy is a call of the function, from wherever it is. */
NOINLINE long fib_copy(int n) __asm__("fib.constprop.0");
NOINLINE long fib(int n) {
  if (n < 2)
    return n;
  return fib_copy(n - 1) + fib_copy(n - 2);
}
NOINLINE long fib_copy(int n) {
  if (n < 2)
    return n;
  return fib(n - 1) + fib(n - 2);
}

/* Only copies are left. */
NOINLINE long gone(int n) __asm__("gone.isra.0");
NOINLINE long gone(int n) {
  burn(n);
  return n;
}
NOINLINE long gone_too(int n) __asm__("gone.isra.0.constprop.1");
NOINLINE long gone_too(int n) {
  burn(n);
  return n;
}

/* Called by a run-time library, so no piece. */
NOINLINE long outlined(int n) __asm__("parallel._omp_fn.0");
NOINLINE long outlined(int n) {
  burn(n);
  return n;
}
NOINLINE long parallel(int n) {
  const long result = outlined(n);
  return result + 1;
}

int main(void) {
  long sum = 0;
  for (int i = 0; i < 10; i++)
    sum += work(i);
  for (int i = 0; i < 4; i++)
    sum += work_piece(i);
  sum += down(20) + fib(10);
  for (int i = 0; i < 5; i++)
    sum += ends_in_call(i) + gone(i) + gone_too(i) + parallel(i);
  printf("%ld\n", sum);
  return 0;
}
