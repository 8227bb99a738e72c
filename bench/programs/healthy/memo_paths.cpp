// Counts paths on a grid by a recursion that keeps its results, and Fibonacci numbers in a map.
#include <cstdio>
#include <map>
#include <vector>

static std::vector<std::vector<long>> known(60, std::vector<long>(60, -1));

static long paths(int x, int y) {
  if (x == 0 || y == 0) return 1;
  long& kept = known[x][y];
  if (kept < 0) kept = (paths(x - 1, y) + paths(x, y - 1)) % 1000007;
  return kept;
}

static std::map<int, long> numbers;

static long fibonacci(int n) {
  if (n < 2) return n;
  auto place = numbers.find(n);
  if (place != numbers.end()) return place->second;
  long sum = (fibonacci(n - 1) + fibonacci(n - 2)) % 1000007;
  numbers[n] = sum;
  return sum;
}

int main() { std::printf("%ld %ld\n", paths(59, 59), fibonacci(3000)); }
