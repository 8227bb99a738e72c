/* Reducers for bitwise and. Part of cilk/cilk.h, under its licence. */
#ifndef CILKSHADOW_REDUCER_OPAND_H
#define CILKSHADOW_REDUCER_OPAND_H

#include "reducer.h"

#if defined __cplusplus

extern "C++" {
namespace cilk {

template <class T> class op_and_view : public scalar_view<T> {
public:
  op_and_view() : scalar_view<T>(static_cast<T>(~T())) {}
  explicit op_and_view(const T& value) : scalar_view<T>(value) {}
  void reduce(op_and_view* right) { *this &= right->m_value; }
  op_and_view& operator&=(const T& value) {
    this->m_value = static_cast<T>(this->m_value & value);
    return *this;
  }
};

template <class T, bool Align = false> struct op_and : monoid_with_view<op_and_view<T>> {};

/* The older interface: the reducer itself has the operators. */
template <class T> class reducer_opand : public reducer<op_and<T>> {
public:
  reducer_opand() {}
  explicit reducer_opand(const T& value) : reducer<op_and<T>>(value) {}
  reducer_opand& operator&=(const T& value) {
    **this &= value;
    return *this;
  }
};

} // namespace cilk
} // extern "C++"

#else

#define CILK_C_REDUCER_OPAND_TYPE(name) cilk_c_reducer_##name
#define CILK_C_REDUCER_OPAND(reducer, name, initial)                                               \
  CILK_C_REDUCER_OPAND_TYPE(name) reducer = {initial}

#endif
#endif
