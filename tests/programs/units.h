/* Each compilation unit has its own of these, under the same names. */
#include <algorithm>
#include <vector>

using Numbers = std::vector<int>;

static long in_header(const Numbers& v) __attribute__((noinline));
static long in_header(const Numbers& v) {
  long sum = 0;
  for (int x : v)
    for (int i = 0; i < KIND; i++)
      sum += x * i;
  return sum;
}

template <typename T> __attribute__((noinline)) long instance(const std::vector<T>& v) {
  long sum = 0;
  for (const T& x : v)
    sum += x.weight();
  return sum;
}
