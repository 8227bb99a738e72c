/* Markers, by which programs show their parallelism to cilkshadow. Part of cilk/cilk.h, under its
   licence.

   A marker is `nopl disp32(%rax,%rax,1)` with a displacement that no compiler makes: 0x5C1B in the
   upper half, the marker's kind in the lower. The encoding and the kinds are part of the interface
   between compiled programs and the tool: they must not change. */
#ifndef CILKSHADOW_MARKER_H
#define CILKSHADOW_MARKER_H

#pragma GCC system_header

#define CILKSHADOW_SPAWN_BEGIN 1 /* C++: until SPAWN_END, the spawned call */
#define CILKSHADOW_SPAWN_END 2
#define CILKSHADOW_SPAWN 3 /* C: the last call in this line is spawned */
#define CILKSHADOW_SYNC 4
#define CILKSHADOW_SCOPE_BEGIN 5
#define CILKSHADOW_SCOPE_END 6
#define CILKSHADOW_FOR_BEGIN 7
#define CILKSHADOW_FOR_ITERATION 8 /* begins an iteration, ends the one before */
#define CILKSHADOW_FOR_END 9

#define CILKSHADOW_STRING(tokens) #tokens
/* A mnemonic, because raw bytes would have no source line; for both of gcc's dialects. */
#define CILKSHADOW_NOP(kind) CILKSHADOW_NOP_TEXT(CILKSHADOW_STRING(kind))
#define CILKSHADOW_NOP_TEXT(kind)                                                                  \
  "nop{l} {0x5c1b0000+" kind "(%%rax,%%rax,1)|dword ptr [rax+rax*1+0x5c1b0000+" kind "]}"

/* Marks a point in the enclosing function; memory accesses are not moved across it. An expression
   with value 0, and a macro, so that its instruction has the source line of the keyword.

   A function that spawns must not be inlined, or its sync would be its caller's. Functions that use
   the address of a label are not inlined: by gcc, if a static variable holds the address (the
   variable is unused, so it is not emitted); by clang, if the address is an operand. Neither costs
   anything. (At -O0 nothing is inlined, but the variable would be emitted.) */
#if !defined __OPTIMIZE__
#define CILKSHADOW_MARK(kind)                                                                      \
  __extension__({                                                                                  \
    __asm__ volatile(CILKSHADOW_NOP(kind) : : : "memory");                                         \
    0;                                                                                             \
  })
#elif defined __clang__
#define CILKSHADOW_MARK(kind)                                                                      \
  __extension__({                                                                                  \
    __label__ cilkshadow_here;                                                                     \
  cilkshadow_here:                                                                                 \
    __asm__ volatile(CILKSHADOW_NOP(kind) : : "i"(&&cilkshadow_here) : "memory");                  \
    0;                                                                                             \
  })
#else
#define CILKSHADOW_MARK(kind)                                                                      \
  __extension__({                                                                                  \
    __label__ cilkshadow_here;                                                                     \
    static void* cilkshadow_no_copy __attribute__((__unused__)) = &&cilkshadow_here;               \
  cilkshadow_here:                                                                                 \
    __asm__ volatile(CILKSHADOW_NOP(kind) : : : "memory");                                         \
    0;                                                                                             \
  })
#endif

/* The same between the iterations of a loop, where values may remain in registers. */
#define CILKSHADOW_MARK_ITERATION                                                                  \
  __extension__({                                                                                  \
    __asm__ volatile(CILKSHADOW_NOP(CILKSHADOW_FOR_ITERATION) : :);                                \
    0;                                                                                             \
  })

/* Marks the end of what a marker began, in a function that is inlined even at -O0. */
#define CILKSHADOW_INLINE __inline__ __attribute__((__always_inline__, __unused__))
#define CILKSHADOW_MARK_END(kind) __asm__ volatile(CILKSHADOW_NOP(kind) : : : "memory")

#endif
