/* Reducers for greatest values. Part of cilk/cilk.h, under its licence. */
#ifndef CILKSHADOW_REDUCER_MAX_H
#define CILKSHADOW_REDUCER_MAX_H

#include "cilkshadow_extreme.h"

#if defined __cplusplus

extern "C++" {
namespace cilk {

template <class T, class Compare = std::less<T>>
class op_max_view : public cilkshadow::extreme_view<T, cilkshadow::is_greater<Compare>> {
public:
  typedef cilkshadow::extreme_view<T, cilkshadow::is_greater<Compare>> base;
  using base::base;
  op_max_view() {}
  op_max_view& calc_max(const T& value) {
    this->take(value);
    return *this;
  }
  /* *r = cilk::max_of(*r, x) */
  op_max_view& operator=(const T& value) { return calc_max(value); }
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

template <class Index, class T, class Compare = std::less<T>>
class op_max_index_view
    : public cilkshadow::extreme_index_view<Index, T, cilkshadow::is_greater<Compare>> {
public:
  typedef cilkshadow::extreme_index_view<Index, T, cilkshadow::is_greater<Compare>> base;
  using base::base;
  op_max_index_view() {}
  op_max_index_view& calc_max(const Index& index, const T& value) {
    this->take(std::make_pair(index, value));
    return *this;
  }
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
} // extern "C++"

#else

#define CILK_C_REDUCER_MAX_TYPE(name) cilk_c_reducer_##name
#define CILK_C_REDUCER_MAX(reducer, name, initial) CILK_C_REDUCER_MAX_TYPE(name) reducer = {initial}
#define CILK_C_REDUCER_MAX_CALC(reducer, x) CILKSHADOW_C_EXTREME(reducer, x, >)

#define CILK_C_REDUCER_MAX_INDEX_TYPE(name) cilk_c_reducer_index_##name
#define CILK_C_REDUCER_MAX_INDEX(reducer, name, initial)                                           \
  CILK_C_REDUCER_MAX_INDEX_TYPE(name) reducer = {{0, initial}}
#define CILK_C_REDUCER_MAX_INDEX_CALC(reducer, i, x) CILKSHADOW_C_EXTREME_INDEX(reducer, i, x, >)

#endif
#endif
