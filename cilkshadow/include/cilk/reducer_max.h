/* Greatest values. Part of cilk/cilk.h, under its licence. */
#ifndef CILKSHADOW_REDUCER_MAX_H
#define CILKSHADOW_REDUCER_MAX_H

#include "reducer.h"

#if defined __cplusplus

#include <functional>

namespace cilk {

/* The greatest value so far; that of no values is T(). */
template <class T, class Compare = std::less<T>> class op_max_view : public scalar_view<T> {
public:
  op_max_view() : m_any(false) {}
  explicit op_max_view(const T& value) : scalar_view<T>(value), m_any(true) {}
  op_max_view& calc_max(const T& value) {
    if (!m_any || Compare()(this->m_value, value))
      view_set_value(value);
    return *this;
  }
  bool is_set() const { return m_any; }
  void reduce(op_max_view* right) {
    if (right->m_any)
      calc_max(right->m_value);
  }
  void view_move_in(T& value) { view_set_value(std::move(value)); }
  void view_set_value(const T& value) {
    this->m_value = value;
    m_any = true;
  }
  /* *r = cilk::max_of(*r, x) */
  op_max_view& operator=(const T& value) { return calc_max(value); }

private:
  bool m_any;
};

template <class T, class Compare, class X>
const X& max_of(const op_max_view<T, Compare>&, const X& value) {
  return value;
}
template <class T, class Compare, class X>
const X& max_of(const X& value, const op_max_view<T, Compare>&) {
  return value;
}

template <class T, class Compare = std::less<T>, bool Align = false>
struct op_max : monoid_with_view<op_max_view<T, Compare>> {};

/* The greatest value and its index: of equal ones the first. */
template <class Index, class T, class Compare = std::less<T>>
class op_max_index_view : public scalar_view<std::pair<Index, T>> {
public:
  op_max_index_view() : m_any(false) {}
  op_max_index_view(const Index& index, const T& value)
      : scalar_view<std::pair<Index, T>>(std::make_pair(index, value)), m_any(true) {}
  explicit op_max_index_view(const std::pair<Index, T>& both)
      : scalar_view<std::pair<Index, T>>(both), m_any(true) {}
  op_max_index_view& calc_max(const Index& index, const T& value) {
    if (!m_any || Compare()(this->m_value.second, value))
      view_set_value(std::make_pair(index, value));
    return *this;
  }
  bool is_set() const { return m_any; }
  const Index& get_index() const { return this->m_value.first; }
  const T& get_index_value() const { return this->m_value.second; }
  void reduce(op_max_index_view* right) {
    if (right->m_any)
      calc_max(right->m_value.first, right->m_value.second);
  }
  void view_move_in(std::pair<Index, T>& both) { view_set_value(both); }
  void view_set_value(const std::pair<Index, T>& both) {
    this->m_value = both;
    m_any = true;
  }

private:
  bool m_any;
};

template <class Index, class T, class Compare = std::less<T>, bool Align = false>
struct op_max_index : monoid_with_view<op_max_index_view<Index, T, Compare>> {};

/* The older interface. */
template <class T, class Compare = std::less<T>>
class reducer_max : public reducer<op_max<T, Compare>> {
public:
  reducer_max() {}
  explicit reducer_max(const T& value) : reducer<op_max<T, Compare>>(value) {}
  reducer_max& calc_max(const T& value) {
    this->view().calc_max(value);
    return *this;
  }
};

template <class Index, class T, class Compare = std::less<T>>
class reducer_max_index : public reducer<op_max_index<Index, T, Compare>> {
public:
  reducer_max_index() {}
  reducer_max_index(const Index& index, const T& value)
      : reducer<op_max_index<Index, T, Compare>>(index, value) {}
  reducer_max_index& calc_max(const Index& index, const T& value) {
    this->view().calc_max(index, value);
    return *this;
  }
  const Index& get_index() const { return this->view().get_index(); }
};

} // namespace cilk

#else

#define CILK_C_REDUCER_MAX_TYPE(name) cilk_c_reducer_##name
#define CILK_C_REDUCER_MAX(reducer, name, initial) CILK_C_REDUCER_MAX_TYPE(name) reducer = {initial}
#define CILK_C_REDUCER_MAX_CALC(reducer, x)                                                        \
  __extension__({                                                                                  \
    __typeof__((reducer).value) cilk_c_x = (x);                                                    \
    if (cilk_c_x > (reducer).value)                                                                \
      (reducer).value = cilk_c_x;                                                                  \
  })

#define CILK_C_REDUCER_MAX_INDEX_TYPE(name) cilk_c_reducer_index_##name
#define CILK_C_REDUCER_MAX_INDEX(reducer, name, initial)                                           \
  CILK_C_REDUCER_MAX_INDEX_TYPE(name) reducer = {{0, initial}}
#define CILK_C_REDUCER_MAX_INDEX_CALC(reducer, i, x)                                               \
  __extension__({                                                                                  \
    __typeof__((reducer).value.value) cilk_c_x = (x);                                              \
    if (cilk_c_x > (reducer).value.value) {                                                        \
      (reducer).value.index = (i);                                                                 \
      (reducer).value.value = cilk_c_x;                                                            \
    }                                                                                              \
  })

#endif
#endif
