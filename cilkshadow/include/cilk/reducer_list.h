/* Reducers that append or prepend to lists, in the serial order. C++. Part of cilk/cilk.h, under
   its licence. */
#ifndef CILKSHADOW_REDUCER_LIST_H
#define CILKSHADOW_REDUCER_LIST_H

extern "C++" {
#include <list>
#include <memory>

#include "reducer.h"

namespace cilk {

template <class T, class Allocator = std::allocator<T>>
class op_list_view : public scalar_view<std::list<T, Allocator>> {
public:
  typedef std::list<T, Allocator> list;
  op_list_view() {}
  explicit op_list_view(const list& value) : scalar_view<list>(value) {}
};

template <class T, class Allocator = std::allocator<T>>
class op_list_append_view : public op_list_view<T, Allocator> {
public:
  using op_list_view<T, Allocator>::op_list_view;
  void push_back(const T& value) { this->m_value.push_back(value); }
  void push_back(T&& value) { this->m_value.push_back(std::move(value)); }
  template <class... Arguments> void emplace_back(Arguments&&... arguments) {
    this->m_value.emplace_back(std::forward<Arguments>(arguments)...);
  }
  template <class... Arguments> void insert_back(Arguments&&... arguments) {
    this->m_value.insert(this->m_value.end(), std::forward<Arguments>(arguments)...);
  }
  void splice_back(std::list<T, Allocator>& more) {
    this->m_value.splice(this->m_value.end(), more);
  }
  void reduce(op_list_append_view* right) { splice_back(right->m_value); }
};

template <class T, class Allocator = std::allocator<T>>
class op_list_prepend_view : public op_list_view<T, Allocator> {
public:
  using op_list_view<T, Allocator>::op_list_view;
  void push_front(const T& value) { this->m_value.push_front(value); }
  void push_front(T&& value) { this->m_value.push_front(std::move(value)); }
  template <class... Arguments> void emplace_front(Arguments&&... arguments) {
    this->m_value.emplace_front(std::forward<Arguments>(arguments)...);
  }
  template <class... Arguments> void insert_front(Arguments&&... arguments) {
    this->m_value.insert(this->m_value.begin(), std::forward<Arguments>(arguments)...);
  }
  void splice_front(std::list<T, Allocator>& more) {
    this->m_value.splice(this->m_value.begin(), more);
  }
  void reduce(op_list_prepend_view* right) { splice_front(right->m_value); }
};

template <class T, class Allocator = std::allocator<T>, bool Align = false>
struct op_list_append : monoid_with_view<op_list_append_view<T, Allocator>> {};
template <class T, class Allocator = std::allocator<T>, bool Align = false>
struct op_list_prepend : monoid_with_view<op_list_prepend_view<T, Allocator>> {};

/* The older interface. */
template <class T, class Allocator = std::allocator<T>>
class reducer_list_append : public reducer<op_list_append<T, Allocator>> {
public:
  using reducer<op_list_append<T, Allocator>>::reducer;
  void push_back(const T& value) { this->view().push_back(value); }
};

template <class T, class Allocator = std::allocator<T>>
class reducer_list_prepend : public reducer<op_list_prepend<T, Allocator>> {
public:
  using reducer<op_list_prepend<T, Allocator>>::reducer;
  void push_front(const T& value) { this->view().push_front(value); }
};

} // namespace cilk
} // extern "C++"

#endif
