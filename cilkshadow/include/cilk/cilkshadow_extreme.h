/* The common part of reducers for least and greatest values. Part of cilk/cilk.h, under its
   licence. */
#ifndef CILKSHADOW_EXTREME_H
#define CILKSHADOW_EXTREME_H

#include "reducer.h"

#if defined __cplusplus

extern "C++" {
#include <functional>

namespace cilkshadow {

/* Whether the first value is more extreme. */
template <class Compare> struct is_less {
  template <class T> bool operator()(const T& one, const T& other) const {
    return Compare()(one, other);
  }
};
template <class Compare> struct is_greater {
  template <class T> bool operator()(const T& one, const T& other) const {
    return Compare()(other, one);
  }
};

/* The most extreme value so far; the first among equal ones; T() if there is none. */
template <class T, class Better> class extreme_view : public cilk::scalar_view<T> {
public:
  extreme_view() : m_any(false) {}
  explicit extreme_view(const T& value) : cilk::scalar_view<T>(value), m_any(true) {}
  void take(const T& value) {
    if (!m_any || Better()(value, this->m_value))
      view_set_value(value);
  }
  void reduce(extreme_view* right) {
    if (right->m_any)
      take(right->m_value);
  }
  bool is_set() const { return m_any; }
  void view_move_in(T& value) { view_set_value(std::move(value)); }
  void view_set_value(const T& value) {
    this->m_value = value;
    m_any = true;
  }

private:
  bool m_any;
};

/* Compares the second elements of pairs; the first is the index. */
template <class Better> struct by_value {
  template <class Pair> bool operator()(const Pair& one, const Pair& other) const {
    return Better()(one.second, other.second);
  }
};

template <class Index, class T, class Better>
class extreme_index_view : public extreme_view<std::pair<Index, T>, by_value<Better>> {
public:
  typedef extreme_view<std::pair<Index, T>, by_value<Better>> base;
  extreme_index_view() {}
  extreme_index_view(const Index& index, const T& value) : base(std::make_pair(index, value)) {}
  explicit extreme_index_view(const std::pair<Index, T>& both) : base(both) {}
  const Index& get_index() const { return this->m_value.first; }
  const T& get_index_value() const { return this->m_value.second; }
};

} // namespace cilkshadow
} // extern "C++"

#else

#define CILKSHADOW_C_EXTREME(reducer, x, better)                                                   \
  __extension__({                                                                                  \
    __typeof__((reducer).value) cilk_c_x = (x);                                                    \
    if (cilk_c_x better(reducer).value)                                                            \
      (reducer).value = cilk_c_x;                                                                  \
  })

#define CILKSHADOW_C_EXTREME_INDEX(reducer, i, x, better)                                          \
  __extension__({                                                                                  \
    __typeof__((reducer).value.value) cilk_c_x = (x);                                              \
    if (cilk_c_x better(reducer).value.value) {                                                    \
      (reducer).value.index = (i);                                                                 \
      (reducer).value.value = cilk_c_x;                                                            \
    }                                                                                              \
  })

#endif
#endif
