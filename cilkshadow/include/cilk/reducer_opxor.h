/* Reducers for bitwise exclusive or. Part of cilk/cilk.h, under its licence. */
#ifndef CILKSHADOW_REDUCER_OPXOR_H
#define CILKSHADOW_REDUCER_OPXOR_H

#include "reducer.h"

#if defined __cplusplus

extern "C++" {
namespace cilk {

template <class T> class op_xor_view : public scalar_view<T> {
public:
  op_xor_view() : scalar_view<T>(T()) {}
  explicit op_xor_view(const T& value) : scalar_view<T>(value) {}
  void reduce(op_xor_view* right) { *this ^= right->m_value; }
  op_xor_view& operator^=(const T& value) {
    this->m_value = static_cast<T>(this->m_value ^ value);
    return *this;
  }
};

template <class T, bool Align = false> struct op_xor : monoid_with_view<op_xor_view<T>> {};

/* The older interface: the reducer itself has the operators. */
template <class T> class reducer_opxor : public reducer<op_xor<T>> {
public:
  reducer_opxor() {}
  explicit reducer_opxor(const T& value) : reducer<op_xor<T>>(value) {}
  reducer_opxor& operator^=(const T& value) {
    **this ^= value;
    return *this;
  }
};

} // namespace cilk
} // extern "C++"

#else

#define CILK_C_REDUCER_OPXOR_TYPE(name) cilk_c_reducer_##name
#define CILK_C_REDUCER_OPXOR(reducer, name, initial)                                               \
  CILK_C_REDUCER_OPXOR_TYPE(name) reducer = {initial}

#endif
#endif
