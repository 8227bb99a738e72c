/* Reducers for products. Part of cilk/cilk.h, under its licence. */
#ifndef CILKSHADOW_REDUCER_OPMUL_H
#define CILKSHADOW_REDUCER_OPMUL_H

#include "reducer.h"

#if defined __cplusplus

extern "C++" {
namespace cilk {

template <class T> class op_mul_view : public scalar_view<T> {
public:
  op_mul_view() : scalar_view<T>(T(1)) {}
  explicit op_mul_view(const T& value) : scalar_view<T>(value) {}
  void reduce(op_mul_view* right) { *this *= right->m_value; }
  op_mul_view& operator*=(const T& value) {
    this->m_value = static_cast<T>(this->m_value * value);
    return *this;
  }
};

template <class T, bool Align = false> struct op_mul : monoid_with_view<op_mul_view<T>> {};

/* The older interface: the reducer itself has the operators. */
template <class T> class reducer_opmul : public reducer<op_mul<T>> {
public:
  reducer_opmul() {}
  explicit reducer_opmul(const T& value) : reducer<op_mul<T>>(value) {}
  reducer_opmul& operator*=(const T& value) {
    **this *= value;
    return *this;
  }
};

} // namespace cilk
} // extern "C++"

#else

#define CILK_C_REDUCER_OPMUL_TYPE(name) cilk_c_reducer_##name
#define CILK_C_REDUCER_OPMUL(reducer, name, initial)                                               \
  CILK_C_REDUCER_OPMUL_TYPE(name) reducer = {initial}

#endif
#endif
