#define KIND 3
#include "units.h"

namespace {
struct Item {
  int value;
  long weight() const { return value; }
};
} // namespace

__attribute__((noinline)) static long helper(const Numbers& v) {
  long sum = 0;
  for (int x : v)
    sum += x;
  return sum;
}

__attribute__((noinline)) static int first(Numbers v) {
  std::sort(v.begin(), v.end(), [](int a, int b) { return a > b; });
  return v[0];
}

long one(const Numbers& v) {
  std::vector<Item> items(v.size());
  return helper(v) + in_header(v) + instance(items) + first(v);
}
