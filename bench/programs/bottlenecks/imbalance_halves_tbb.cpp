// KIND imbalance, NAMES main|smooth: the two halves of a series are smoothed at once, but one has most of the peaks.
#include <cstdio>
#include <tbb/parallel_invoke.h>
#include <vector>

static void smooth(std::vector<double>& series, size_t begin, size_t end) {
  for (size_t i = begin + 1; i < end; i++)
    while (series[i] > 2 * series[i - 1])
      series[i] = 0.99 * series[i]; // CULPRIT
}

int main() {
  std::vector<double> series(12000, 1.0);
  for (size_t i = 1; i < series.size(); i += 2)
#ifdef FIXED
    series[i] = 8;
#else
    series[i] = i < series.size() / 2 ? 2.2 : 14;
#endif
  tbb::parallel_invoke([&] { smooth(series, 0, series.size() / 2); },
                       [&] { smooth(series, series.size() / 2, series.size()); });
  std::printf("%g\n", series[77]);
}
