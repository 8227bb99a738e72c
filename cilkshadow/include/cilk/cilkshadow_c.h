/* The keywords in C. No marker can follow a spawned call; its end is its return, so it must be a
   call in the compiled program, too. Part of cilk/cilk.h, under its licence. */
#ifndef CILKSHADOW_C_H
#define CILKSHADOW_C_H

#pragma GCC system_header

#include <stdio.h>
#include <stdlib.h>

/* clang has no such pragma: `cilkshadow-config --cflags --compiler=clang` prints equivalent
   options. no-ipa-pure-const: two calls of a function without side effects must not be merged or
   moved. */
#if !defined __clang__ && defined __OPTIMIZE__
#pragma GCC optimize("no-inline", "no-optimize-sibling-calls", "no-ipa-pure-const")
#endif

/* An operator before the keyword would be applied to this operand, not to the call; with this type,
   arithmetic is an error. A constant, to avoid warnings about variables that only the call
   initialises. */
#define CILKSHADOW_SPAWNED_CALL                                                                    \
  ((void)CILKSHADOW_MARK(CILKSHADOW_SPAWN), (const struct cilkshadow_spawned_call*)0)

/* 0 is compatible with every arithmetic type, pointers and void. */
#define cilk_spawn CILKSHADOW_SPAWNED_CALL ? 0:
/* For calls that return a struct or union: `struct pair p = cilk_spawn_as(struct pair) f()`. */
#define cilk_spawn_as(type) CILKSHADOW_SPAWNED_CALL ? (type){0}:

/* Run when their variable goes out of scope, no matter how. */
static CILKSHADOW_INLINE void cilkshadow_end_scope(const int* cilkshadow_state) {
  (void)cilkshadow_state;
  CILKSHADOW_MARK_END(CILKSHADOW_SCOPE_END);
}

static CILKSHADOW_INLINE void cilkshadow_end_loop(const int* cilkshadow_state) {
  (void)cilkshadow_state;
  CILKSHADOW_MARK_END(CILKSHADOW_FOR_END);
}

static __attribute__((__cold__, __noinline__, __unused__)) int cilkshadow_broken(const char* file,
                                                                                 int line) {
  fprintf(stderr,
          "%s:%d: in C no `break` can leave a cilk_scope: use goto, or compile as C++ "
          "(cilkshadow's manual)\n",
          file, line);
  abort();
}

/* Two loops with one iteration: only loops can do something after a statement. The state is 2
   before the body and 1 after it; if it is still 2 after the inner loop, a `break` has left the
   body. */
#define cilk_scope                                                                                 \
  for (int cilkshadow_scope __attribute__((__cleanup__(cilkshadow_end_scope))) =                   \
           CILKSHADOW_MARK(CILKSHADOW_SCOPE_BEGIN) + 2;                                            \
       cilkshadow_scope;                                                                           \
       cilkshadow_scope = cilkshadow_scope == 1 ? 0 : cilkshadow_broken(__FILE__, __LINE__))       \
    for (; cilkshadow_scope == 2; cilkshadow_scope = 1)

/* `break` and `continue` apply to the user's loop. */
#define cilk_for(...)                                                                              \
  for (int cilkshadow_loop __attribute__((__cleanup__(cilkshadow_end_loop))) =                     \
           CILKSHADOW_MARK(CILKSHADOW_FOR_BEGIN) + 1;                                              \
       cilkshadow_loop; cilkshadow_loop = 0)                                                       \
    for (__VA_ARGS__)                                                                              \
      if (CILKSHADOW_MARK_ITERATION) {                                                             \
      } else

#endif
