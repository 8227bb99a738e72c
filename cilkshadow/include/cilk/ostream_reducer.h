/* OpenCilk's reducer for output in the serial order: `cilk::ostream_reducer<char>
   out(std::cout);`. C++. Part of cilk/cilk.h, under its licence. */
#ifndef CILKSHADOW_OSTREAM_REDUCER_H
#define CILKSHADOW_OSTREAM_REDUCER_H

#include "reducer_ostream.h"

extern "C++" {
namespace cilk {

template <class Char = char, class Traits = std::char_traits<Char>>
using ostream_reducer = op_basic_ostream_view<Char, Traits>;

} // namespace cilk
} // extern "C++"

#endif
