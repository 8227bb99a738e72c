/* Reducers for bitwise or. Part of cilk/cilk.h, under its licence. */
#ifndef CILKSHADOW_REDUCER_OPOR_H
#define CILKSHADOW_REDUCER_OPOR_H

#include "reducer.h"

#if defined __cplusplus

extern "C++" {
namespace cilk {

template <class T> class op_or_view : public scalar_view<T> {
public:
  op_or_view() : scalar_view<T>(T()) {}
  explicit op_or_view(const T& value) : scalar_view<T>(value) {}
  void reduce(op_or_view* right) { *this |= right->m_value; }
  op_or_view& operator|=(const T& value) {
    this->m_value = static_cast<T>(this->m_value | value);
    return *this;
  }
};

template <class T, bool Align = false> struct op_or : monoid_with_view<op_or_view<T>> {};

/* The older interface: the reducer itself has the operators. */
template <class T> class reducer_opor : public reducer<op_or<T>> {
public:
  reducer_opor() {}
  explicit reducer_opor(const T& value) : reducer<op_or<T>>(value) {}
  reducer_opor& operator|=(const T& value) {
    **this |= value;
    return *this;
  }
};

} // namespace cilk
} // extern "C++"

#else

#define CILK_C_REDUCER_OPOR_TYPE(name) cilk_c_reducer_##name
#define CILK_C_REDUCER_OPOR(reducer, name, initial)                                                \
  CILK_C_REDUCER_OPOR_TYPE(name) reducer = {initial}

#endif
#endif
