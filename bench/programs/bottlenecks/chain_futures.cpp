// KIND chain, NAMES refine|main: a chain of std::async calls, each of which gets the result of the one before.
#include <cstdio>
#include <future>
#include <vector>

static double refine(double x, int steps) {
  for (int i = 0; i < steps; i++)
    x = x - (x * x - 2) / (2 * x) * 0.01;
  return x;
}

int main() {
  std::vector<std::shared_future<double>> results;
  results.push_back(std::async(std::launch::async, refine, 9.0, 8000).share());
  for (int i = 1; i < 24; i++) {
    std::shared_future<double> before = results.back();
    results.push_back(std::async(std::launch::async, [before, i] {
#ifdef FIXED
                        return refine(9.0 + i, 8000);
#else
                        return refine(before.get(), 8000); // CULPRIT
#endif
                      }).share());
  }
  double sum = 0;
  for (auto& result : results)
    sum += result.get();
  std::printf("%g\n", sum);
}
