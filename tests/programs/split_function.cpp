// A function of which gcc inlines the test at the beginning and splits off the rest.
#include <cstdio>

namespace lib {
long walk(const int* values, int count) {
  if (count <= 0)
    return 0;
  long sum = 0;
  for (int i = 0; i < count; i++) {
    sum += values[i];
    if (sum == -1)
      std::printf("%ld\n", sum);
  }
  for (int i = 0; i < count; i++)
    if (values[i] > sum)
      std::printf("%d\n", values[i]);
  return sum;
}
} // namespace lib

int values[100];

int main() {
  long all = 0;
  for (int n = 1; n < 100; n++)
    all += lib::walk(values, n) + lib::walk(values, n / 2) + lib::walk(values, n - 3);
  return all != 0;
}
