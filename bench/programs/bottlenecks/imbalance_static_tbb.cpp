// KIND imbalance, NAMES main|multiply: a lower triangular matrix times a vector, a block of rows for each thread.
#include <cstdio>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <vector>

constexpr int kSize = 700;

static void multiply(const std::vector<double>& a, const std::vector<double>& x, std::vector<double>& y) {
#ifdef FIXED
  const int grain = 10;
#else
  const int grain = kSize / tbb::info::default_concurrency();
#endif
  tbb::parallel_for(
      tbb::blocked_range<int>(0, kSize, grain),
      [&](const tbb::blocked_range<int>& rows) {
        for (int i = rows.begin(); i < rows.end(); i++) {
          double sum = 0;
          for (int j = 0; j <= i; j++) // CULPRIT
            sum += a[i * (i + 1) / 2 + j] * x[j];
          y[i] = sum;
        }
      },
      tbb::simple_partitioner());
}

int main() {
  std::vector<double> a(kSize * (kSize + 1) / 2, 0.5), x(kSize, 2), y(kSize);
  for (int k = 0; k < 3; k++) {
    multiply(a, x, y);
    multiply(a, y, x);
  }
  std::printf("%g\n", x[kSize / 2]);
}
