// Two functions with the same code and two names, one of an alias: linkers may fold the former.
#include <cstdio>

namespace lib {
[[gnu::noinline]] long sum_of_ints(const int* values, int count) {
  long sum = 0;
  for (int i = 0; i < count; i++)
    sum += values[i];
  return sum;
}

[[gnu::noinline]] long sum_of_levels(const int* values, int count) {
  long sum = 0;
  for (int i = 0; i < count; i++)
    sum += values[i];
  return sum;
}
} // namespace lib

extern "C" {
[[gnu::noinline]] long largest(const int* values, int count) {
  long found = 0;
  for (int i = 0; i < count; i++)
    if (values[i] > found)
      found = values[i];
  return found;
}
long maximum(const int* values, int count) __attribute__((alias("largest")));
}

int values[100];

int main() {
  long all = 0;
  for (int n = 1; n < 100; n++)
    all += lib::sum_of_ints(values, n) + lib::sum_of_levels(values, n) + largest(values, n) +
           maximum(values, n);
  std::printf("%ld\n", all);
}
