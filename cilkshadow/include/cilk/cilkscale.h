/* What OpenCilk's programs ask its Cilkscale, as in a program that is compiled without it: every
   answer is 0, and nothing is printed. cilkshadow measures each call site without being asked. Part
   of cilk/cilk.h, under its licence. */
#ifndef CILKSHADOW_CILKSCALE_H
#define CILKSHADOW_CILKSCALE_H

#include <stdint.h>

typedef int64_t raw_duration_t;
typedef struct wsp_t {
  raw_duration_t work, span, bspan;
} wsp_t;

#define CILKSCALE_OFF static __inline__ __attribute__((__unused__))

CILKSCALE_OFF wsp_t wsp_zero(void) {
  wsp_t zero = {0, 0, 0};
  return zero;
}
CILKSCALE_OFF wsp_t wsp_getworkspan(void) { return wsp_zero(); }
CILKSCALE_OFF wsp_t wsp_add(wsp_t left, wsp_t right) {
  (void)left;
  (void)right;
  return wsp_zero();
}
CILKSCALE_OFF wsp_t wsp_sub(wsp_t left, wsp_t right) { return wsp_add(left, right); }
CILKSCALE_OFF void wsp_dump(wsp_t measured, const char* tag) {
  (void)measured;
  (void)tag;
}

#undef CILKSCALE_OFF

#ifdef __cplusplus
extern "C++" {
#include <ostream>

inline wsp_t& operator+=(wsp_t& left, const wsp_t&) { return left; }
inline wsp_t& operator-=(wsp_t& left, const wsp_t&) { return left; }
inline wsp_t operator+(const wsp_t& left, const wsp_t& right) { return wsp_add(left, right); }
inline wsp_t operator-(const wsp_t& left, const wsp_t& right) { return wsp_sub(left, right); }
inline std::ostream& operator<<(std::ostream& out, const wsp_t&) { return out; }
} // extern "C++"
#endif

#endif
