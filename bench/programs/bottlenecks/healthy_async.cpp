// HEALTHY: std::async recursion over a balanced tree.
#include <cstdio>
#include <future>
static double integrate(double a, double b, int depth) {
  if (depth == 0) {
    double s = 0, h = (b - a) / 100000;
    for (int i = 0; i < 100000; i++)
      s += h / (1 + (a + i * h) * (a + i * h));
    return s;
  }
  const double m = (a + b) / 2;
  auto left = std::async(std::launch::async, integrate, a, m, depth - 1);
  const double right = integrate(m, b, depth - 1);
  return left.get() + right;
}
int main() { std::printf("%g\n", 4 * integrate(0, 1, 4)); }
