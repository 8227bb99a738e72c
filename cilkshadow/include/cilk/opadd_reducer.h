/* OpenCilk's reducer for sums: `cilk::opadd_reducer<long> sum = 0;` declares a long. C++. Part of
   cilk/cilk.h, under its licence. */
#ifndef CILKSHADOW_OPADD_REDUCER_H
#define CILKSHADOW_OPADD_REDUCER_H

#include "cilk.h"

extern "C++" {
namespace cilk {

template <class T> void zero(void* view) { *static_cast<T*>(view) = static_cast<T>(0); }
template <class T> void plus(void* left, void* right) {
  *static_cast<T*>(left) += *static_cast<T*>(right);
}
template <class T> using opadd_reducer = T cilk_reducer(zero<T>, plus<T>);

} // namespace cilk
} // extern "C++"

#endif
