/* Least values. Part of cilk/cilk.h, under its licence. */
#ifndef CILKSHADOW_REDUCER_MIN_H
#define CILKSHADOW_REDUCER_MIN_H

#include "reducer.h"

#if defined __cplusplus

#include <functional>

namespace cilk {

/* The least value so far; that of no values is T(). */
template <class T, class Compare = std::less<T>> class op_min_view : public scalar_view<T> {
public:
  op_min_view() : m_any(false) {}
  explicit op_min_view(const T& value) : scalar_view<T>(value), m_any(true) {}
  op_min_view& calc_min(const T& value) {
    if (!m_any || Compare()(value, this->m_value))
      view_set_value(value);
    return *this;
  }
  bool is_set() const { return m_any; }
  void reduce(op_min_view* right) {
    if (right->m_any)
      calc_min(right->m_value);
  }
  void view_move_in(T& value) { view_set_value(std::move(value)); }
  void view_set_value(const T& value) {
    this->m_value = value;
    m_any = true;
  }
  /* *r = cilk::min_of(*r, x) */
  op_min_view& operator=(const T& value) { return calc_min(value); }

private:
  bool m_any;
};

template <class T, class Compare, class X>
const X& min_of(const op_min_view<T, Compare>&, const X& value) {
  return value;
}
template <class T, class Compare, class X>
const X& min_of(const X& value, const op_min_view<T, Compare>&) {
  return value;
}

template <class T, class Compare = std::less<T>, bool Align = false>
struct op_min : monoid_with_view<op_min_view<T, Compare>> {};

/* The least value and its index: of equal ones the first. */
template <class Index, class T, class Compare = std::less<T>>
class op_min_index_view : public scalar_view<std::pair<Index, T>> {
public:
  op_min_index_view() : m_any(false) {}
  op_min_index_view(const Index& index, const T& value)
      : scalar_view<std::pair<Index, T>>(std::make_pair(index, value)), m_any(true) {}
  explicit op_min_index_view(const std::pair<Index, T>& both)
      : scalar_view<std::pair<Index, T>>(both), m_any(true) {}
  op_min_index_view& calc_min(const Index& index, const T& value) {
    if (!m_any || Compare()(value, this->m_value.second))
      view_set_value(std::make_pair(index, value));
    return *this;
  }
  bool is_set() const { return m_any; }
  const Index& get_index() const { return this->m_value.first; }
  const T& get_index_value() const { return this->m_value.second; }
  void reduce(op_min_index_view* right) {
    if (right->m_any)
      calc_min(right->m_value.first, right->m_value.second);
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
struct op_min_index : monoid_with_view<op_min_index_view<Index, T, Compare>> {};

/* The older interface. */
template <class T, class Compare = std::less<T>>
class reducer_min : public reducer<op_min<T, Compare>> {
public:
  reducer_min() {}
  explicit reducer_min(const T& value) : reducer<op_min<T, Compare>>(value) {}
  reducer_min& calc_min(const T& value) {
    this->view().calc_min(value);
    return *this;
  }
};

template <class Index, class T, class Compare = std::less<T>>
class reducer_min_index : public reducer<op_min_index<Index, T, Compare>> {
public:
  reducer_min_index() {}
  reducer_min_index(const Index& index, const T& value)
      : reducer<op_min_index<Index, T, Compare>>(index, value) {}
  reducer_min_index& calc_min(const Index& index, const T& value) {
    this->view().calc_min(index, value);
    return *this;
  }
  const Index& get_index() const { return this->view().get_index(); }
};

} // namespace cilk

#else

#define CILK_C_REDUCER_MIN_TYPE(name) cilk_c_reducer_##name
#define CILK_C_REDUCER_MIN(reducer, name, initial) CILK_C_REDUCER_MIN_TYPE(name) reducer = {initial}
#define CILK_C_REDUCER_MIN_CALC(reducer, x)                                                        \
  __extension__({                                                                                  \
    __typeof__((reducer).value) cilk_c_x = (x);                                                    \
    if (cilk_c_x < (reducer).value)                                                                \
      (reducer).value = cilk_c_x;                                                                  \
  })

#define CILK_C_REDUCER_MIN_INDEX_TYPE(name) cilk_c_reducer_index_##name
#define CILK_C_REDUCER_MIN_INDEX(reducer, name, initial)                                           \
  CILK_C_REDUCER_MIN_INDEX_TYPE(name) reducer = {{0, initial}}
#define CILK_C_REDUCER_MIN_INDEX_CALC(reducer, i, x)                                               \
  __extension__({                                                                                  \
    __typeof__((reducer).value.value) cilk_c_x = (x);                                              \
    if (cilk_c_x < (reducer).value.value) {                                                        \
      (reducer).value.index = (i);                                                                 \
      (reducer).value.value = cilk_c_x;                                                            \
    }                                                                                              \
  })

#endif
#endif
