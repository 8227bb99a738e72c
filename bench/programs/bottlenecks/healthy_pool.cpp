// HEALTHY: a thread pool whose jobs are independent and long.
#include "pool.hpp"
#include <cstdio>
#include <vector>

int main() {
  std::vector<double> sums(200);
  Pool pool(4);
  for (size_t i = 0; i < sums.size(); i++)
    pool.submit([i, &sums] {
      double x = i;
      for (int k = 0; k < 20000; k++)
        x = x * 0.99 + k;
      sums[i] = x;
    });
  pool.finish();
  std::printf("%g\n", sums[17]);
}
