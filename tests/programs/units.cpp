/* Compiled with units_one.cpp, whose functions have 7 calls each, and units_two.cpp: 4 calls. What
   is first in many of them is inlined from a header of the standard library. */
#include <cstdio>
#include <vector>

long one(const std::vector<int>& v);
long two(const std::vector<int>& v);

int main() {
  long sum = 0;
  for (int n = 1; n <= 7; n++)
    sum += one(std::vector<int>(20 * n, 2));
  for (int n = 1; n <= 4; n++)
    sum += two(std::vector<int>(20 * n, 2));
  std::printf("%ld\n", sum);
}
