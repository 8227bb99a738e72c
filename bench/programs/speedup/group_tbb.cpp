// A task_group of six tasks that differ.
#include "churn.h"
#include <cstdio>
#include <cstdlib>
#include <tbb/task_group.h>

int main(int argc, char** argv) {
  const long size = std::atol(argv[argc - 1]);
  unsigned sums[6];
  tbb::task_group group;
  for (int i = 0; i < 6; i++)
    group.run([=, &sums] { sums[i] = churn(i, (i + 1) * 3000 * size); });
  group.wait();
  std::printf("%u\n", sums[0] + sums[5]);
}
