/* The interface to OpenCilk's Cilkscale. Under cilkshadow, calls return its numbers, in guest
   instructions, and wsp_dump writes to the profile: cilkshadow-report --format=cilkscale prints it
   as Cilkscale does. Natively, all numbers are 0, as in a program that is compiled without
   Cilkscale; a call is a few instructions. Needs Valgrind's own <valgrind/valgrind.h>. Part of
   cilk/cilk.h, under its licence. */
#ifndef CILKSHADOW_CILKSCALE_H
#define CILKSHADOW_CILKSCALE_H

#include <stdint.h>
#include <valgrind/valgrind.h>

typedef int64_t raw_duration_t;
typedef struct wsp_t {
  raw_duration_t work, span, bspan;
} wsp_t;

#define CILKSCALE_INLINE static __inline__ __attribute__((__unused__))
/* VG_USERREQ__CILKSHADOW_WORK_SPAN and its successor of <valgrind/cilkshadow.h>. */
#define CILKSCALE_REQUEST(number, first, second)                                                   \
  VALGRIND_DO_CLIENT_REQUEST_STMT(VG_USERREQ_TOOL_BASE('C', 'S') + (number), first, second, 0, 0, 0)

CILKSCALE_INLINE wsp_t wsp_zero(void) {
  wsp_t zero = {0, 0, 0};
  return zero;
}
/* The work and span of the running thread's path so far: in main, the program's; in other threads
   and in tasks, their own work and the path to here. Without children that have not been waited
   for. */
CILKSCALE_INLINE wsp_t wsp_getworkspan(void) {
  wsp_t now = {0, 0, 0};
  CILKSCALE_REQUEST(10, &now, 0);
  return now;
}
CILKSCALE_INLINE wsp_t wsp_add(wsp_t left, wsp_t right) {
  left.work += right.work;
  left.span += right.span;
  left.bspan += right.bspan;
  return left;
}
CILKSCALE_INLINE wsp_t wsp_sub(wsp_t left, wsp_t right) {
  left.work -= right.work;
  left.span -= right.span;
  left.bspan -= right.bspan;
  return left;
}
CILKSCALE_INLINE void wsp_dump(wsp_t measured, const char* tag) {
  CILKSCALE_REQUEST(11, tag, &measured);
}

#undef CILKSCALE_REQUEST
#undef CILKSCALE_INLINE

#ifdef __cplusplus
extern "C++" {
#include <ostream>

inline wsp_t& operator+=(wsp_t& left, const wsp_t& right) { return left = wsp_add(left, right); }
inline wsp_t& operator-=(wsp_t& left, const wsp_t& right) { return left = wsp_sub(left, right); }
inline wsp_t operator+(const wsp_t& left, const wsp_t& right) { return wsp_add(left, right); }
inline wsp_t operator-(const wsp_t& left, const wsp_t& right) { return wsp_sub(left, right); }
/* Prints nothing natively, where all numbers are 0. */
inline std::ostream& operator<<(std::ostream& out, const wsp_t& measured) {
  if (measured.work != 0)
    out << measured.work << ", " << measured.span << ", " << measured.bspan;
  return out;
}
} // extern "C++"
#endif

#endif
