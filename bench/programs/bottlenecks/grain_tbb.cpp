// KIND grain, NAMES add|main: a parallel_for of the simple partitioner, of grain one.
#include <cstdio>
#include <tbb/parallel_for.h>
#include <vector>

static void add(const std::vector<int>& a, const std::vector<int>& b, std::vector<int>& c) {
#ifdef FIXED
  const size_t grain = 1000;
#else
  const size_t grain = 1;
#endif
  tbb::parallel_for(
      tbb::blocked_range<size_t>(0, a.size(), grain),
      [&](const tbb::blocked_range<size_t>& range) {
        for (size_t i = range.begin(); i < range.end(); i++)
          c[i] = a[i] + 3 * b[i]; // CULPRIT
      },
      tbb::simple_partitioner());
}

int main() {
  std::vector<int> a(8000, 1), b(8000, 2), c(8000);
  add(a, b, c);
  std::printf("%d\n", c[5]);
}
