// A lambda with an integer argument. gcc puts the types of its `this` before its parameters.
#include <cstdio>

int main(int argc, char**) {
  const auto sum = [argc](int count) __attribute__((noinline)) {
    volatile long total = 0;
    for (int i = 0; i < count; i++)
      total = total + i * argc;
    return total;
  };
  long total = 0;
  for (int n = 1; n < 12; n++)
    total += sum(n);
  std::printf("%ld\n", total);
}
