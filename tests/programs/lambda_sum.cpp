// A lambda whose code begins with that of the standard library.
#include <cstdio>
#include <vector>

int main(int argc, char**) {
  const auto sum = [argc](const std::vector<int>& values) __attribute__((noinline)) {
    long total = 0;
    for (const int& value : values)
      total += value * argc;
    return total;
  };
  long total = 0;
  for (int n = 1; n < 12; n++)
    total += sum(std::vector<int>(9 * n, n));
  std::printf("%ld\n", total);
}
