/* Reducers for sums. Part of cilk/cilk.h, under its licence. */
#ifndef CILKSHADOW_REDUCER_OPADD_H
#define CILKSHADOW_REDUCER_OPADD_H

#include "reducer.h"

#if defined __cplusplus

extern "C++" {
namespace cilk {

template <class T> class op_add_view : public scalar_view<T> {
public:
  op_add_view() : scalar_view<T>(T()) {}
  explicit op_add_view(const T& value) : scalar_view<T>(value) {}
  void reduce(op_add_view* right) { *this += right->m_value; }
  op_add_view& operator+=(const T& value) {
    this->m_value = static_cast<T>(this->m_value + value);
    return *this;
  }
  op_add_view& operator-=(const T& value) {
    this->m_value = static_cast<T>(this->m_value - value);
    return *this;
  }
  op_add_view& operator++() { return *this += 1; }
  void operator++(int) { *this += 1; }
  op_add_view& operator--() { return *this -= 1; }
  void operator--(int) { *this -= 1; }
};

template <class T, bool Align = false> struct op_add : monoid_with_view<op_add_view<T>> {};

/* The older interface: the reducer itself has the operators. */
template <class T> class reducer_opadd : public reducer<op_add<T>> {
public:
  reducer_opadd() {}
  explicit reducer_opadd(const T& value) : reducer<op_add<T>>(value) {}
  reducer_opadd& operator+=(const T& value) {
    **this += value;
    return *this;
  }
  reducer_opadd& operator-=(const T& value) {
    **this -= value;
    return *this;
  }
  reducer_opadd& operator++() { return *this += 1; }
  void operator++(int) { *this += 1; }
  reducer_opadd& operator--() { return *this -= 1; }
  void operator--(int) { *this -= 1; }
};

} // namespace cilk
} // extern "C++"

#else

#define CILK_C_REDUCER_OPADD_TYPE(name) cilk_c_reducer_##name
#define CILK_C_REDUCER_OPADD(reducer, name, initial)                                               \
  CILK_C_REDUCER_OPADD_TYPE(name) reducer = {initial}

#endif
#endif
