/* The serial elision of Cilk Plus's reducers: a single view receives all updates. Part of
   cilk/cilk.h, under its licence.

   C++:  cilk::reducer<cilk::op_add<long>> sum;   *sum += x;   sum.get_value()
   C:    CILK_C_REDUCER_OPADD(sum, long, 0);      REDUCER_VIEW(sum) += x;
   The headers reducer_*.h define the operations; C++ programs may define monoids of their own. */
#ifndef CILKSHADOW_REDUCER_H
#define CILKSHADOW_REDUCER_H

#if defined __cplusplus

extern "C++" {
#include <new>
#include <utility>

namespace cilk {

template <class T> struct move_in_wrapper { T& value; };
/* For a reducer's constructor: moves the value instead of copying it. */
template <class T> move_in_wrapper<T> move_in(T& value) { return {value}; }

/* Base class of monoids, which define how two values are combined. */
template <class Value, class View = Value> struct monoid_base {
  typedef Value value_type;
  typedef View view_type;
  void identity(View* place) const { ::new (static_cast<void*>(place)) View(); }
  void destroy(View* view) const { view->~View(); }
  void* allocate(std::size_t size) const { return ::operator new(size); }
  void deallocate(void* place) const { ::operator delete(place); }
};

/* Base class of the views that come with Cilk: a value; derived classes have its operations. */
template <class T> class scalar_view {
public:
  typedef T value_type;
  scalar_view() : m_value() {}
  explicit scalar_view(const T& value) : m_value(value) {}
  void view_move_in(T& value) { m_value = std::move(value); }
  void view_move_out(T& value) { value = std::move(m_value); }
  void view_set_value(const T& value) { m_value = value; }
  const T& view_get_value() const { return m_value; }

protected:
  T m_value;
};

template <class View> struct monoid_with_view : monoid_base<typename View::value_type, View> {
  void reduce(View* left, View* right) const { left->reduce(right); }
};

namespace detail {

/* A reducer's access to its view: by the functions of the views above, or to a plain value. */
template <class Value, class View> struct access {
  static void move_in(View& view, Value& value) { view.view_move_in(value); }
  static void move_out(View& view, Value& value) { view.view_move_out(value); }
  static void set(View& view, const Value& value) { view.view_set_value(value); }
  static auto get(const View& view) -> decltype(view.view_get_value()) {
    return view.view_get_value();
  }
};
template <class Value> struct access<Value, Value> {
  static void move_in(Value& view, Value& value) { view = std::move(value); }
  static void move_out(Value& view, Value& value) { value = std::move(view); }
  static void set(Value& view, const Value& value) { view = value; }
  static const Value& get(const Value& view) { return view; }
};

/* The leftmost view: the monoid's identity, or constructed from the reducer's arguments. */
template <class Monoid> class leftmost {
public:
  typedef typename Monoid::view_type View;
  leftmost() { m_monoid.identity(view()); }
  template <class... Arguments> explicit leftmost(int, Arguments&&... arguments) {
    ::new (static_cast<void*>(m_place)) View(std::forward<Arguments>(arguments)...);
  }
  leftmost(const leftmost&) = delete;
  leftmost& operator=(const leftmost&) = delete;
  ~leftmost() { m_monoid.destroy(view()); }
  View* view() { return reinterpret_cast<View*>(m_place); }
  const View* view() const { return reinterpret_cast<const View*>(m_place); }

private:
  Monoid m_monoid;
  alignas(View) unsigned char m_place[sizeof(View)];
};

} // namespace detail

template <class Monoid> class reducer {
public:
  typedef Monoid monoid_type;
  typedef typename Monoid::value_type value_type;
  typedef typename Monoid::view_type view_type;

  reducer() {}
  template <class T> explicit reducer(move_in_wrapper<T> wrapper) { move_in(wrapper.value); }
  template <class First, class... More>
  explicit reducer(First&& first, More&&... more)
      : m_left(0, std::forward<First>(first), std::forward<More>(more)...) {}
  reducer(reducer&) = delete;
  reducer(const reducer&) = delete;
  reducer& operator=(const reducer&) = delete;

  view_type& view() { return *m_left.view(); }
  const view_type& view() const { return *m_left.view(); }
  view_type& operator()() { return view(); }
  const view_type& operator()() const { return view(); }
  view_type& operator*() { return view(); }
  const view_type& operator*() const { return view(); }
  view_type* operator->() { return &view(); }
  const view_type* operator->() const { return &view(); }

  void move_in(value_type& value) { access::move_in(view(), value); }
  void move_out(value_type& value) { access::move_out(view(), value); }
  void set_value(const value_type& value) { access::set(view(), value); }
  auto get_value() const
      -> decltype(detail::access<value_type, view_type>::get(std::declval<const view_type&>())) {
    return access::get(view());
  }

private:
  typedef detail::access<value_type, view_type> access;
  detail::leftmost<Monoid> m_left;
};

} // namespace cilk
} // extern "C++"

#else

/* Cilk Plus's one-word names for C's arithmetic types. */
#define CILK_C_TYPES(x)                                                                            \
  x(char, char) x(schar, signed char) x(uchar, unsigned char) x(short, short)                      \
      x(ushort, unsigned short) x(int, int) x(uint, unsigned) x(unsigned, unsigned) x(long, long)  \
          x(ulong, unsigned long) x(longlong, long long) x(ulonglong, unsigned long long)          \
              x(float, float) x(double, double) x(longdouble, long double)

#define CILK_C_DECLARE_TYPE(name, type)                                                            \
  typedef struct {                                                                                 \
    type value;                                                                                    \
  } cilk_c_reducer_##name;                                                                         \
  typedef struct {                                                                                 \
    struct {                                                                                       \
      __PTRDIFF_TYPE__ index;                                                                      \
      type value;                                                                                  \
    } value;                                                                                       \
  } cilk_c_reducer_index_##name;
CILK_C_TYPES(CILK_C_DECLARE_TYPE)
#undef CILK_C_DECLARE_TYPE

#define CILK_C_DECLARE_REDUCER(type)                                                               \
  struct {                                                                                         \
    type value;                                                                                    \
  }
#define CILK_C_INIT_REDUCER(type, reduce, identity, destroy, ...)                                  \
  { __VA_ARGS__ }
#define CILK_C_REGISTER_REDUCER(reducer) ((void)0)
#define CILK_C_UNREGISTER_REDUCER(reducer) ((void)0)
#define REDUCER_VIEW(reducer) ((reducer).value)

#endif
#endif
