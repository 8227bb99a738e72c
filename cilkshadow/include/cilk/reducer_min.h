/* Reducers for least values. Part of cilk/cilk.h, under its licence. */
#ifndef CILKSHADOW_REDUCER_MIN_H
#define CILKSHADOW_REDUCER_MIN_H

#include "cilkshadow_extreme.h"

#if defined __cplusplus

extern "C++" {
namespace cilk {

template <class T, class Compare = std::less<T>>
class op_min_view : public cilkshadow::extreme_view<T, cilkshadow::is_less<Compare>> {
public:
  typedef cilkshadow::extreme_view<T, cilkshadow::is_less<Compare>> base;
  using base::base;
  op_min_view() {}
  op_min_view& calc_min(const T& value) {
    this->take(value);
    return *this;
  }
  /* *r = cilk::min_of(*r, x) */
  op_min_view& operator=(const T& value) { return calc_min(value); }
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

template <class Index, class T, class Compare = std::less<T>>
class op_min_index_view
    : public cilkshadow::extreme_index_view<Index, T, cilkshadow::is_less<Compare>> {
public:
  typedef cilkshadow::extreme_index_view<Index, T, cilkshadow::is_less<Compare>> base;
  using base::base;
  op_min_index_view() {}
  op_min_index_view& calc_min(const Index& index, const T& value) {
    this->take(std::make_pair(index, value));
    return *this;
  }
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
} // extern "C++"

#else

#define CILK_C_REDUCER_MIN_TYPE(name) cilk_c_reducer_##name
#define CILK_C_REDUCER_MIN(reducer, name, initial) CILK_C_REDUCER_MIN_TYPE(name) reducer = {initial}
#define CILK_C_REDUCER_MIN_CALC(reducer, x) CILKSHADOW_C_EXTREME(reducer, x, <)

#define CILK_C_REDUCER_MIN_INDEX_TYPE(name) cilk_c_reducer_index_##name
#define CILK_C_REDUCER_MIN_INDEX(reducer, name, initial)                                           \
  CILK_C_REDUCER_MIN_INDEX_TYPE(name) reducer = {{0, initial}}
#define CILK_C_REDUCER_MIN_INDEX_CALC(reducer, i, x) CILKSHADOW_C_EXTREME_INDEX(reducer, i, x, <)

#endif
#endif
