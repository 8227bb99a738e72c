/* Reducer for output in the serial order. C++. Part of cilk/cilk.h, under its licence. */
#ifndef CILKSHADOW_REDUCER_OSTREAM_H
#define CILKSHADOW_REDUCER_OSTREAM_H

extern "C++" {
#include <ostream>

#include "reducer.h"

namespace cilk {

/* Writes to the stream that it is constructed from, with formatting state of its own. */
template <class Char, class Traits = std::char_traits<Char>>
class op_basic_ostream_view : public std::basic_ostream<Char, Traits> {
public:
  typedef std::basic_ostream<Char, Traits> value_type;
  explicit op_basic_ostream_view(const value_type& stream) : value_type(stream.rdbuf()) {
    this->copyfmt(stream);
  }
  void reduce(op_basic_ostream_view*) {}
  const value_type& view_get_value() const { return *this; }
};

template <class Char, class Traits = std::char_traits<Char>, bool Align = false>
struct op_basic_ostream : monoid_with_view<op_basic_ostream_view<Char, Traits>> {};
typedef op_basic_ostream<char> op_ostream;
typedef op_basic_ostream<wchar_t> op_wostream;

template <class Char, class Traits, bool Align, class T>
reducer<op_basic_ostream<Char, Traits, Align>>&
operator<<(reducer<op_basic_ostream<Char, Traits, Align>>& out, const T& value) {
  *out << value;
  return out;
}

/* The older interface. */
class reducer_ostream : public reducer<op_ostream> {
public:
  explicit reducer_ostream(const std::ostream& stream) : reducer<op_ostream>(stream) {}
  template <class T> reducer_ostream& operator<<(const T& value) {
    view() << value;
    return *this;
  }
  /* std::endl and the like */
  reducer_ostream& operator<<(std::ostream& (*manipulator)(std::ostream&)) {
    view() << manipulator;
    return *this;
  }
};

} // namespace cilk
} // extern "C++"

#endif
