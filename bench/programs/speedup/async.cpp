// Tasks of std::async, of which the last one is the longest.
#include "churn.h"
#include <cstdio>
#include <cstdlib>
#include <future>
#include <vector>

int main(int argc, char** argv) {
  const long size = std::atol(argv[argc - 1]);
  unsigned sum = 0;
  std::vector<std::future<unsigned>> parts;
  for (int i = 1; i <= 5; i++) {
    parts.push_back(std::async(std::launch::async, [=] { return churn(i, i * 4000 * size); }));
    if (i % 2 == 0 || i == 5) {
      for (auto& part : parts)
        sum += part.get();
      parts.clear();
    }
  }
  std::printf("%u\n", sum);
}
