#define KIND 5
#include "units.h"

namespace {
struct Item {
  int value;
  long weight() const { return value * 3L + 1; }
};
} // namespace

__attribute__((noinline)) static long helper(const Numbers& v) {
  long sum = 0;
  for (int x : v)
    for (int y : v)
      sum += x * y;
  return sum;
}

__attribute__((noinline)) static int first(Numbers v) {
  std::sort(v.begin(), v.end(), [](int a, int b) { return a < b; });
  return v[0];
}

long two(const Numbers& v) {
  std::vector<Item> items(v.size());
  return helper(v) + in_header(v) + instance(items) + first(v);
}
