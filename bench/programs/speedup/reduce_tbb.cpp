// A parallel_reduce, and as much again for which one thread has to do.
#include "churn.h"
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

int main(int argc, char** argv) {
  const long size = std::atol(argv[argc - 1]);
  unsigned sum = churn(1, 20000 * size);
  sum += tbb::parallel_reduce(
      tbb::blocked_range<int>(0, 40), 0u,
      [=](const tbb::blocked_range<int>& range, unsigned x) {
        for (int i = range.begin(); i < range.end(); i++)
          x += churn(i, 1000 * size);
        return x;
      },
      std::plus<unsigned>());
  std::printf("%u\n", sum);
}
