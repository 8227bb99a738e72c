/* The keywords in C++. Destructors mark the ends of what they begin, so that every way out is seen:
   exceptions, break, continue, return. Part of cilk/cilk.h, under its licence. */
#ifndef CILKSHADOW_CXX_H
#define CILKSHADOW_CXX_H

#pragma GCC system_header

#ifndef __cpp_exceptions
#error                                                                                             \
    "cilk/cilk.h needs C++ exceptions: compile without -fno-exceptions, or with -DCILKSHADOW_SERIAL"
#endif

extern "C++" { /* it may be included within extern "C" */
namespace cilkshadow {

/* A temporary that lives as long as the expression of the spawned call. An operator before the
   keyword would be applied to it, not to the call: only assignment and the like mean the same. */
struct spawned_call {
  CILKSHADOW_INLINE explicit spawned_call(int) {}
  CILKSHADOW_INLINE ~spawned_call() { CILKSHADOW_MARK_END(CILKSHADOW_SPAWN_END); }
  /* Valgrind merges adjacent entries of a line table with the same line number, even if their files
     differ. The spawned call comes next, and cannot be in the first line of a file. */
#line 1
  CILKSHADOW_INLINE explicit operator bool() const { return false; }
#line 26
  void operator!() const = delete;
};
template <class T> void operator&&(const T&, const spawned_call&) = delete;
template <class T> void operator||(const T&, const spawned_call&) = delete;

/* Declared in the condition of an `if` whose `else` is the statement after the keyword. */
struct statement {
  CILKSHADOW_INLINE explicit constexpr statement(int) {}
  CILKSHADOW_INLINE explicit constexpr operator bool() const { return false; }
};

struct scope : statement {
  using statement::statement;
  CILKSHADOW_INLINE ~scope() { CILKSHADOW_MARK_END(CILKSHADOW_SCOPE_END); }
};

struct loop : statement {
  using statement::statement;
  CILKSHADOW_INLINE ~loop() { CILKSHADOW_MARK_END(CILKSHADOW_FOR_END); }
};

} // namespace cilkshadow
} // extern "C++"

/* If one operand is `throw`, the other determines the type: void, a class, anything. clang would
   warn of it in noexcept functions, such as destructors. */
#if defined __clang__
#define CILKSHADOW_THROW                                                                           \
  _Pragma("clang diagnostic push")                                                                 \
      _Pragma("clang diagnostic ignored \"-Wexceptions\"") throw 0 _Pragma("clang diagnostic pop")
#else
#define CILKSHADOW_THROW throw 0
#endif
#define cilk_spawn                                                                                 \
  ::cilkshadow::spawned_call(CILKSHADOW_MARK(CILKSHADOW_SPAWN_BEGIN)) ? CILKSHADOW_THROW:
#define cilk_spawn_as(type) cilk_spawn

#define cilk_scope                                                                                 \
  if (::cilkshadow::scope cilkshadow_scope{CILKSHADOW_MARK(CILKSHADOW_SCOPE_BEGIN)}) {             \
  } else

#define cilk_for(...)                                                                              \
  if (::cilkshadow::loop cilkshadow_loop{CILKSHADOW_MARK(CILKSHADOW_FOR_BEGIN)}) {                 \
  } else                                                                                           \
    for (__VA_ARGS__)                                                                              \
      if (CILKSHADOW_MARK_ITERATION) {                                                             \
      } else

#endif
