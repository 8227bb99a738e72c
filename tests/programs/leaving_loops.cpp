// Nests of loops that are left without a jump of their own function. The program prints,
// for each loop, its first line, and the numbers of its executions and iterations.
#include <csetjmp>
#include <cstdio>
#include <pthread.h>
#include <stdexcept>
#include <sys/syscall.h>
#include <unistd.h>

#define NOINLINE [[gnu::noinline]]

namespace {

struct Counted {
  int line;
  long executions, iterations;
} counted[24];

struct Execution {
  Execution(int number, int line) : of(counted[number]) { of.line = line; }
  void round() {
    of.iterations++;
    of.executions += rounds++ == 0;
  }
  Counted& of;
  int rounds = 0;
};
#define BEGIN(number) Execution loop_##number(number, __LINE__ + 1)

volatile long sink;
jmp_buf inner, outer, into_loop;

NOINLINE void jump(jmp_buf to, bool when) {
  if (when)
    longjmp(to, 1);
  sink = sink + 1;
}

NOINLINE void raise(int what) {
  if (what == 1)
    throw std::runtime_error("1");
  if (what == 2)
    throw what;
  sink = sink + 1;
}

// To the outermost loop of its own function, whose present iteration continues.
NOINLINE void to_own_loop(int n) {
  BEGIN(0);
  for (volatile int i = 0; i < n; i = i + 1) {
    loop_0.round();
    if (setjmp(inner) == 0) {
      BEGIN(1);
      for (volatile int j = 0; j < n; j = j + 1) {
        loop_1.round();
        BEGIN(2);
        for (volatile int k = 0; k < n; k = k + 1) {
          loop_2.round();
          jump(inner, k == 2 && j == i);
        }
      }
    }
    BEGIN(3);
    for (volatile int j = 0; j < i; j = j + 1) {
      loop_3.round();
      sink = sink + j;
    }
  }
}

NOINLINE void nest_below(int n) {
  BEGIN(4);
  for (volatile int i = 0; i < n; i = i + 1) {
    loop_4.round();
    BEGIN(5);
    for (volatile int j = 0; j <= i; j = j + 1) {
      loop_5.round();
      jump(outer, i + j == n);
    }
  }
}

// From a callee's nest to the loop that called it, each time in another iteration.
NOINLINE void to_outer_function(int n) {
  BEGIN(6);
  for (volatile int i = 0; i < n; i = i + 1) {
    loop_6.round();
    if (setjmp(outer) == 0)
      nest_below(i);
    sink = sink + i;
  }
}

// Back to before the loop, or into it: to the setjmp of an iteration that is over.
NOINLINE void to_earlier_iteration(int n) {
  volatile int jumps = 0;
  if (setjmp(inner) != 0)
    sink = sink + 1;
  BEGIN(7);
  for (volatile int i = 0; i < n; i = i + 1) {
    loop_7.round();
    if (i == 1 && setjmp(into_loop) != 0)
      sink = sink + 2;
    jumps = jumps + (i == 3);
    jump(inner, i == 3 && jumps == 1);
    jump(into_loop, i == 3 && jumps == 2);
  }
}

NOINLINE void throwing(int n) {
  BEGIN(8);
  for (int i = 0; i < n; i++) {
    loop_8.round();
    BEGIN(9);
    for (int j = 0; j < n; j++) {
      loop_9.round();
      try {
        BEGIN(10);
        for (int k = 0; k < n; k++) {
          loop_10.round();
          raise(k == 3 ? (i + j) % 3 : 0);
        }
      } catch (const std::runtime_error&) {
        sink = sink + 3;
      }
    }
  }
}

NOINLINE void catching(int n) {
  BEGIN(11);
  for (int i = 0; i < n; i++) {
    loop_11.round();
    try {
      throwing(i);
      sink = sink + 1;
    } catch (int) {
      continue;
    }
  }
}

NOINLINE void recursive(int depth) {
  BEGIN(12);
  for (volatile int i = 0; i < depth; i = i + 1) {
    loop_12.round();
    if (depth > 3)
      recursive(depth - 1);
    jump(outer, depth == 3 && i == 1);
  }
}

// Out of all activations of a recursion through a loop.
NOINLINE void out_of_recursion(int n) {
  BEGIN(13);
  for (volatile int i = 0; i < n; i = i + 1) {
    loop_13.round();
    if (setjmp(outer) == 0)
      recursive(i);
  }
}

// A thread ends within its loop, which stays unfinished: the last iteration does not count.
NOINLINE void* ends_in_loop(void*) {
  BEGIN(14);
  for (volatile int i = 0; i < 10; i = i + 1) {
    if (i == 7)
      syscall(SYS_exit, 0);
    loop_14.round();
  }
  return nullptr;
}

} // namespace

int main() {
  to_own_loop(6);
  to_outer_function(9);
  to_earlier_iteration(5);
  catching(7);
  out_of_recursion(7);
  pthread_t thread;
  pthread_create(&thread, nullptr, ends_in_loop, nullptr);
  pthread_join(thread, nullptr);
  for (const Counted& of : counted)
    if (of.line != 0)
      std::printf("%d %ld %ld\n", of.line, of.executions, of.iterations);
}
